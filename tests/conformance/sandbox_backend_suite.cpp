#include "core/base/child_process.h"
#include "core/base/file.h"
#include "tests/conformance/sandbox_suite_steps.h"
#include "tests/support/machine.h"

#include <unistd.h>

#include <cstdlib>

namespace sg::test {

using sandbox::Weakness;

std::string contentOf(const std::filesystem::path& path)
{
    const auto text = readFile(path); // of a process that ends meanwhile: an error, and no exception
    return text ? *text : std::string();
}

std::string joined(const std::vector<std::string>& texts)
{
    std::string all;
    for (const std::string& text : texts)
        all += (all.empty() ? "" : " ") + text;
    return all;
}

std::string uniqueMark()
{
    static int count = 0;
    return "sandglass-mark-" + std::to_string(::getpid()) + '-' + std::to_string(++count);
}

std::string spawnDaemon(const std::string& mark)
{
    return "import subprocess, sys\n"
           "subprocess.Popen([sys.executable, '-c', 'import signal, time\\n"
           "for s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)\\nprint(1, flush=True)\\ntime.sleep(600)', "
           "'"
        + mark + "'], start_new_session=True, stdout=subprocess.PIPE).stdout.readline()\n";
}

std::vector<int> processesNamed(const std::string& text)
{
    std::vector<int> found;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename();
        const int pid = std::atoi(name.c_str());
        if (pid > 0 && pid != ::getpid()
            && contentOf(entry.path() / "cmdline").find(text) != std::string::npos)
            found.push_back(pid);
    }
    return found;
}

SandboxSpec SandboxBackendSuite::spec()
{
    SandboxSpec spec;
    spec.session = SessionId("suite" + std::to_string(++m_sessions));
    spec.project = "0123abcd";
    spec.runnerFolder = m_runnerFolder;
    spec.limits.memoryBytes = 256 * kMiB;
    spec.limits.tmpfsBytes = 64 * kMiB;
    spec.limits.pids = 64;
    spec.limits.cpus = 1;
    return spec;
}

std::unique_ptr<Sandbox> SandboxBackendSuite::started(const SandboxSpec& spec)
{
    auto sandbox = m_backend->start(spec);
    if (!sandbox)
        qWarning("start: %s", sandbox.error().message.c_str());
    return sandbox ? std::move(*sandbox) : nullptr;
}

void SandboxBackendSuite::initTestCase()
{
    SG_NEED(part());
    m_backend = makeBackend("suite");
    const auto info = m_backend->probe();
    SG_VERIFY_OK(info);
    m_limitsEnforced = info->limitsEnforced;
    QVERIFY2(m_limitsEnforced || !mustLimit(), "limits are weak where they could be enforced");
    QVERIFY(!info->version.empty());
    qInfo("%s; %s; limits %s", info->version.c_str(), info->isolation.c_str(),
          m_limitsEnforced ? "enforced" : "weak");
    for (const Weakness& weakness : info->weaknesses) {
        qInfo("%s %s", weakness.text.c_str(), weakness.mend.c_str());
        QVERIFY2(!weakness.text.empty() && !weakness.mend.empty(), weakness.text.c_str());
    }
}

void SandboxBackendSuite::cleanup()
{
    if (m_backend)
        QCOMPARE(joined(leftovers(::getpid())), std::string());
}

void SandboxBackendSuite::cleanupTestCase()
{
    m_backend.reset();
}

void SandboxBackendSuite::executesCells()
{
    START(sandbox, client, spec());
    RUN(out, client, "print(6 * 7)");
    QCOMPARE(out, std::string("42\n"));
    QVERIFY(sandbox->state() == SandboxEnd::Running);
    QVERIFY(!sandbox->name().empty());
}

void SandboxBackendSuite::bindsFolders()
{
    const TempDir folder;
    folder.write("session/old.txt", "from before");
    folder.write("data/table.csv", "a,b\n1,2\n");
    if (::geteuid() == 0) // like a user's own home: nobody else may enter
        std::filesystem::permissions(folder.path(), std::filesystem::perms(0700));
    SandboxSpec wanted = spec();
    wanted.sessionFolder = folder / "session";
    wanted.mounts = { { folder / "data", "/data", true } };
    {
        START(sandbox, client, wanted);
        RUN(out, client,
            "import os\nprint(open('/session/old.txt').read(), open('/data/table.csv').read(), end='')\n"
            "open('/session/new.txt', 'w').write('from inside')\n"
            "os.unlink('/session/old.txt')\n"
            "try: open('/data/new.txt', 'w')\n"
            "except OSError as e: print(e.errno)\n");
        QCOMPARE(out, std::string("from before a,b\n1,2\n30\n"));
    }
    QCOMPARE(contentOf(folder / "session/new.txt"), std::string("from inside"));
    QVERIFY(!std::filesystem::exists(folder / "session/old.txt"));
}

void SandboxBackendSuite::namesAMissingMount()
{
    SandboxSpec wanted = spec();
    wanted.mounts = { { "/nowhere/at all", "/data", true } };
    const auto sandbox = m_backend->start(wanted);
    QVERIFY(!sandbox);
    QVERIFY2(sandbox.error().message.find("/nowhere/at all") != std::string::npos,
             sandbox.error().message.c_str());
}

} // namespace sg::test
