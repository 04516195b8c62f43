#include "core/sandbox/docker/docker_backend.h"
#include "core/sandbox/docker/engine_api.h"
#include "tests/conformance/runner_client.h"
#include "tests/conformance/sandbox_backend_suite.h"
#include "tests/support/machine.h"
#include "tests/support/wait_for.h"

#include <QTest>

#include <algorithm>
#include <string_view>

using namespace sg;
using namespace sg::sandbox;

class TestDocker final : public test::SandboxBackendSuite {
    Q_OBJECT

public:
    TestDocker(std::filesystem::path runnerFolder, std::string transport)
        : SandboxBackendSuite(std::move(runnerFolder))
        , m_transport(std::move(transport))
    {
    }

protected:
    [[nodiscard]] std::string part() const override { return "docker"; }
    [[nodiscard]] bool mustLimit() const override;
    [[nodiscard]] bool managesWithoutGroups() const override { return false; }
    std::unique_ptr<SandboxBackend> makeBackend(const std::string& instance) override
    {
        DockerOptions options;
        options.instance = instance;
        options.transport = m_transport;
        return makeDockerBackend(options);
    }
    std::vector<std::string> leftovers(int owner) override;

private:
    const std::string m_transport;
    std::unique_ptr<EngineApi> engine();
    Value inspect(const std::string& name);

private Q_SLOTS:
    void hardensItsContainers();
    void takesAnotherNameWhereOneIsInUse();
    void saysHowToGetAMissingImage();
    void saysWhatItTriedWhereNoEngineIs();
    void findsAndAttachesWhatItKept();
    void codeReachesNoSocketOfTheRunner();
    void fallsBackToTheAttachedStream();
};

bool TestDocker::mustLimit() const
{
    ProcessSpec spec;
    spec.program = "docker";
    spec.arguments = { "info", "--format", "{{.MemoryLimit}} {{.CgroupVersion}} {{.SecurityOptions}}" };
    for (char** variable = environ; *variable != nullptr; ++variable)
        spec.environment.emplace_back(*variable);
    const auto told = runProcess(std::move(spec), {}, std::chrono::seconds(30));
    // Without root nobody may use control groups version 1, whatever an engine says of them.
    const bool isWeak =
        told && told->out.starts_with("true 1 ") && told->out.find("rootless") != std::string::npos;
    const bool isAble = told && told->out.starts_with("true ");
    return !isWeak && (isAble || test::requiredParts().contains("cgroup"));
}

std::unique_ptr<EngineApi> TestDocker::engine()
{
    const auto candidates = engineCandidates({});
    for (const EngineEndpoint& endpoint : *candidates)
        if (auto api = EngineApi::connect(endpoint))
            return std::move(*api);
    return nullptr;
}

Value TestDocker::inspect(const std::string& name)
{
    const auto api = engine();
    if (!api)
        return {};
    auto answer = api->call("GET", "/containers/" + name + "/json");
    return answer ? std::move(answer->body) : Value();
}

std::vector<std::string> TestDocker::leftovers(int owner)
{
    std::vector<std::string> found;
    const auto api = engine();
    if (!api)
        return { "the engine does not answer: what it holds is not known" };
    const std::string prefix = std::to_string(owner) + '.';
    const auto list =
        api->call("GET", "/containers/json?all=1&" + engineFilters({ { "label", "io.sandglass=1" } }));
    if (!list || !list->body.isList())
        found.push_back("the engine does not list its containers");
    else
        for (const Value& container : list->body.asList())
            if (container["Labels"].stringOr("io.sandglass.owner", "").rfind(prefix, 0) == 0)
                found.push_back("container " + container["Names"][std::size_t{ 0 }].asString());
    // Where the engine is reached by TLS or ssh: open for as long as its backend lives.
    const auto isOpenTunnel = [&](const std::string& name) {
        return owner == ::getpid()
            && (name.find("-tls.") != std::string::npos || name.find("-ssh.") != std::string::npos);
    };
    const std::string user = std::to_string(::geteuid());
    const std::string runtime =
        qEnvironmentVariable("XDG_RUNTIME_DIR", QString::fromStdString("/run/user/" + user)).toStdString();
    for (const std::string& base :
         { std::string("/run/sandglass"), runtime + "/sandglass", "/tmp/sandglass-" + user }) {
        std::error_code error;
        for (std::filesystem::directory_iterator entry(base, error), end; !error && entry != end;
             entry.increment(error))
            if (const std::string name = entry->path().filename();
                name.rfind(prefix, 0) == 0 && !isOpenTunnel(name))
                found.push_back(entry->path().string());
    }
    return found;
}

void TestDocker::hardensItsContainers()
{
    SandboxSpec wanted = spec();
    const auto sandbox = started(wanted);
    QVERIFY(sandbox);
    const Value container = inspect(sandbox->name());
    const Value& host = container["HostConfig"];
    QCOMPARE(host.stringOr("NetworkMode", ""), std::string("none"));
    QCOMPARE(host.boolOr("ReadonlyRootfs", false), true);
    QCOMPARE(host.boolOr("Privileged", true), false);
    // Podman lists what "ALL" came to, and has words of its own for the others; hasNoRights() and
    // sharesNothingWithItsNeighbour() look inside.
    const auto api = engine();
    QVERIFY2(api, "the engine does not answer");
    const bool isPodman = api->version().podman;
    if (!isPodman) {
        QCOMPARE(host["CapDrop"][std::size_t{ 0 }].asString(), std::string("ALL"));
        QCOMPARE(host["SecurityOpt"][std::size_t{ 0 }].asString(), std::string("no-new-privileges:true"));
        QCOMPARE(host.stringOr("IpcMode", ""), std::string("private"));
    }
    if (m_limitsEnforced) { // an engine that can hold no limit leaves it out
        QCOMPARE(host.intOr("Memory", 0), wanted.limits.memoryBytes);
        QCOMPARE(host.intOr("MemorySwap", 0), wanted.limits.memoryBytes);
        QCOMPARE(host.intOr("PidsLimit", 0), wanted.limits.pids);
    }
    QCOMPARE(host.boolOr("AutoRemove", false), true);
    QCOMPARE(host["LogConfig"].stringOr("Type", ""), std::string(isPodman ? "json-file" : "local"));
    QVERIFY(container["Config"].stringOr("User", "").rfind("0", 0) != 0);
    for (const Value& mount : container["Mounts"].asList())
        QVERIFY(mount.stringOr("Source", "").find("docker.sock") == std::string::npos);
}

void TestDocker::takesAnotherNameWhereOneIsInUse()
{
    const SandboxSpec wanted = spec();
    const auto first = started(wanted);
    const auto second = started(wanted);
    QVERIFY(first && second);
    QCOMPARE(first->name(), "sandglass-0123abcd-" + wanted.session.value);
    QCOMPARE(second->name(), "sandglass-0123abcd-" + wanted.session.value + "-2");
    QVERIFY(first->state() == SandboxEnd::Running);
}

void TestDocker::saysHowToGetAMissingImage()
{
    SandboxSpec wanted = spec();
    wanted.image = "sandglass/never-built";
    const auto sandbox = backend().start(wanted);
    QVERIFY(!sandbox);
    QVERIFY(sandbox.error().code == Errc::NotFound);
    QVERIFY2(sandbox.error().message.find("docker pull sandglass/never-built") != std::string::npos,
             sandbox.error().message.c_str());
}

void TestDocker::saysWhatItTriedWhereNoEngineIs()
{
    DockerOptions options;
    options.host = "unix:///nowhere/docker.sock";
    const auto info = makeDockerBackend(options)->probe();
    QVERIFY(!info);
    QVERIFY(info.error().code == Errc::Unavailable);
    QVERIFY2(info.error().message.find("/nowhere/docker.sock") != std::string::npos,
             info.error().message.c_str());
    QVERIFY2(info.error().message.find("apt install docker.io") != std::string::npos,
             info.error().message.c_str());
}

void TestDocker::findsAndAttachesWhatItKept()
{
    SandboxSpec wanted = spec();
    wanted.keep = true;
    {
        const auto sandbox = started(wanted);
        QVERIFY(sandbox);
        test::RunnerClient client(sandbox->stream());
        QVERIFY(client.hello());
        QCOMPARE(client.run("kept = 6 * 7").status, std::string("ok"));
    }
    const auto all = makeBackend("later")->find();
    QVERIFY(all);
    const auto found = std::find_if(all->begin(), all->end(),
                                    [&](const FoundSandbox& each) { return each.session == wanted.session; });
    QVERIFY(found != all->end());
    QVERIFY(found->kept);
    QVERIFY(found->ownerAlive);
    QCOMPARE(found->owner, std::string("suite"));
    QCOMPARE(found->project, wanted.project);
    {
        auto again = backend().attach(*found);
        QVERIFY2(again, again ? "" : again.error().message.c_str());
        test::RunnerClient client((*again)->stream());
        QVERIFY(client.hello());
        QCOMPARE(client.run("print(kept)").text, std::string("42\n"));
    }
    FoundSandbox wrong = *found;
    wrong.session = SessionId("another");
    QVERIFY(backend().remove(wrong));
    QVERIFY(!inspect(found->name).isNull());
    QVERIFY(backend().remove(*found));
    QVERIFY(inspect(found->name).isNull());
    QVERIFY(!backend().attach(*found));
}

// The folder with the runner's socket is no place of this machine's disk that code can fill, and the next
// connection is the runner's.
void TestDocker::codeReachesNoSocketOfTheRunner()
{
    SandboxSpec wanted = spec();
    wanted.keep = true;
    const auto sandbox = started(wanted);
    QVERIFY(sandbox);
    test::RunnerClient client(sandbox->stream());
    QVERIFY(client.hello());
    const auto cell =
        client.run("import os, socket\nfolder = '/run/sandglass/io'\n"
                   "print(os.listdir(folder) if os.path.isdir(folder) else [])\n"
                   "def attempt(act):\n"
                   "    try: act(); print('done')\n"
                   "    except OSError: print('refused')\n"
                   "attempt(lambda: open(folder + '/fill', 'wb').write(b'x'))\n"
                   "attempt(lambda: os.unlink(folder + '/runner.sock'))\n"
                   "attempt(lambda: socket.socket(socket.AF_UNIX).bind(folder + '/runner.sock'))\n"
                   "attempt(lambda: os.mkdir(folder + '/deeper'))");
    QCOMPARE(cell.text + cell.error, std::string("[]\nrefused\nrefused\nrefused\nrefused\n"));
    const auto all = backend().find();
    QVERIFY(all);
    const auto found = std::find_if(all->begin(), all->end(),
                                    [&](const FoundSandbox& each) { return each.session == wanted.session; });
    QVERIFY(found != all->end());
    const auto again = backend().attach(*found);
    SG_VERIFY_OK(again);
    test::RunnerClient later((*again)->stream());
    QVERIFY(later.hello());
    QCOMPARE(later.run("print(6 * 7)").text, std::string("42\n"));
    sandbox->end();
}

// As where the folder with the socket does not cross: the runner cannot open one there.
void TestDocker::fallsBackToTheAttachedStream()
{
    const test::TempDir folder;
    std::filesystem::copy(runnerFolder(), folder.path(), std::filesystem::copy_options::recursive);
    std::filesystem::rename(folder / "start.py", folder / "real.py");
    folder.write("start.py",
                 "import runpy, sys\nif '--socket' in sys.argv: sys.exit('no socket here')\n"
                 "runpy.run_path('/run/sandglass/runner/real.py', run_name='__main__')\n");
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
    SandboxSpec wanted = spec();
    wanted.runnerFolder = folder.path();
    const auto own = makeBackend("suite");
    for (int round = 0; round < 2; ++round) {
        const auto sandbox = own->start(wanted);
        QVERIFY2(sandbox, sandbox ? "" : sandbox.error().message.c_str());
        test::RunnerClient client((*sandbox)->stream());
        QVERIFY(client.hello());
        QCOMPARE(client.run("print(6 * 7)").text, std::string("42\n"));
    }
}

// --transport NAME: the engine's other ways to the runner.
int main(int argc, char** argv)
{
    std::string transport;
    if (argc > 2 && std::string_view(argv[1]) == "--transport") {
        transport = argv[2];
        argv[2] = argv[0];
        argv += 2;
        argc -= 2;
    }
    TestDocker tests(SG_SOURCE_DIR "/resources/sandbox", transport);
    return test::exitCode(QTest::qExec(&tests, argc, argv));
}

#include "tst_docker.moc"
