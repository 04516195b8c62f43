#include "core/sandbox/bubblewrap/bubblewrap_backend.h"
#include "core/sandbox/bubblewrap/session_cgroup.h"
#include "tests/conformance/sandbox_backend_suite.h"
#include "tests/conformance/sandbox_suite_steps.h"
#include "tests/support/machine.h"

#include <QTest>

#include <grp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string_view>

using namespace sg;
using namespace sg::sandbox;
using test::RunnerClient;

class TestBubblewrap final : public test::SandboxBackendSuite {
    Q_OBJECT

public:
    using SandboxBackendSuite::SandboxBackendSuite;

protected:
    [[nodiscard]] std::string part() const override { return "bubblewrap"; }
    [[nodiscard]] bool mustLimit() const override
    {
        return test::missing("cgroup").empty()
            || (::geteuid() == 0 && test::requiredParts().contains("cgroup"));
    }
    [[nodiscard]] bool managesWithoutGroups() const override { return true; } // its processes have limits
    std::unique_ptr<SandboxBackend> makeBackend(const std::string& instance) override
    {
        BubblewrapOptions options;
        options.instance = instance;
        return makeBubblewrapBackend(options);
    }
    std::vector<std::string> leftovers(int owner) override
    {
        std::vector<std::string> found;
        const CgroupMounts mounts = findCgroupMounts();
        for (const auto& mount : { mounts.memory, mounts.pids, mounts.cpu, mounts.cpuAccounting }) {
            std::error_code error;
            for (std::filesystem::directory_iterator entry(mount / "sandglass", error), end;
                 !error && entry != end; entry.increment(error))
                if (entry->path().filename().string().rfind(std::to_string(owner) + '.', 0) == 0)
                    found.push_back(entry->path().string());
        }
        return found;
    }

private Q_SLOTS:
    void handsDescriptorsToTheRunner();
    void saysWhatToInstall();
};

void TestBubblewrap::handsDescriptorsToTheRunner()
{
    START(sandbox, client, spec());
    QVERIFY(dynamic_cast<DescriptorCarrier*>(&sandbox->stream()) != nullptr);
    RUN(python, client, "import sys\nprint('%d.%d' % sys.version_info[:2], end='')");
    std::string names;
    const auto add = [&](const Value& record, const std::string& content = {}) {
        const std::string bytes = encodeMsgpack(record);
        names += std::string(3, '\0') + static_cast<char>(bytes.size()) + bytes + content;
    };
    add(Value::map({ { "kind", "world" }, { "python", python }, { "files", Value::list() } }));
    const std::string pickle = "I42\n.";
    add(Value::map({ { "kind", "name" },
                     { "name", "x" },
                     { "scope", "" },
                     { "pickle", static_cast<std::int64_t>(pickle.size()) },
                     { "buffers", Value::list() } }),
        pickle);
    add(Value::map({ { "kind", "end" } }));

    std::array<int, 2> ends{};
    QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    Fd ours(ends[0]);
    Fd theirs(ends[1]);
    QCOMPARE(client.ask({ { "op", "await_descriptor" } })["ev"], Value("awaiting"));
    const int given = theirs.get();
    QCOMPARE(client.ask({ { "op", "load" }, { "descriptor", true } }, &given)["ev"], Value("received"));
    theirs.reset();
    QCOMPARE(::write(ours.get(), names.data(), names.size()), static_cast<ssize_t>(names.size()));
    QCOMPARE(client.next()["ev"], Value("loaded"));
    RUN(out, client, "print(x)");
    QCOMPARE(out, std::string("42\n"));
    char byte = 0;
    QCOMPARE(::read(ours.get(), &byte, 1), ssize_t(0)); // nobody in there has it any more
}

void TestBubblewrap::saysWhatToInstall()
{
    BubblewrapOptions options;
    options.program = "/nowhere/bwrap";
    const auto info = makeBubblewrapBackend(options)->probe();
    QVERIFY(!info);
    QVERIFY(info.error().code == Errc::Unavailable);
    QVERIFY2(info.error().message.find("apt install bubblewrap") != std::string::npos,
             info.error().message.c_str());
}

// --as-user: the same tests as an ordinary user, where we are root. In a process of their own, so that this
// one can remove what it prepared.
int runAsUser(TestBubblewrap& tests, int argc, char** argv)
{
    constexpr unsigned kNobody = 65534;
    if (test::machineScript().empty() || test::parts().empty()) // read while this process may
        return 1;
    const pid_t child = ::fork();
    if (child == 0) {
        if (::geteuid() == 0
            && (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0
                || ::chdir("/") != 0))
            std::_Exit(1);
        std::_Exit(test::exitCode(QTest::qExec(&tests, argc, argv)));
    }
    int status = 1;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(int argc, char** argv)
{
    const test::TempDir shared; // readable by everyone, also where the checkout is in /root
    std::filesystem::copy(SG_SOURCE_DIR "/resources/sandbox", shared / "runner",
                          std::filesystem::copy_options::recursive);
    std::filesystem::permissions(shared.path(), std::filesystem::perms(0755));
    TestBubblewrap tests(shared / "runner");
    if (argc > 1 && std::string_view(argv[1]) == "--as-user") {
        argv[1] = argv[0];
        return runAsUser(tests, argc - 1, argv + 1);
    }
    return test::exitCode(QTest::qExec(&tests, argc, argv));
}

#include "tst_bubblewrap.moc"
