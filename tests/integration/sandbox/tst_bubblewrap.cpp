#include "core/sandbox/bubblewrap/bubblewrap_backend.h"
#include "core/sandbox/bubblewrap/session_cgroup.h"
#include "tests/conformance/sandbox_backend_suite.h"

#include <QTest>

#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

using namespace sg;
using namespace sg::sandbox;

class TestBubblewrap final : public test::SandboxBackendSuite {
    Q_OBJECT

public:
    using SandboxBackendSuite::SandboxBackendSuite;

protected:
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
    void saysWhatToInstall();
};

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
    const pid_t child = ::fork();
    if (child == 0) {
        if (::geteuid() == 0
            && (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0
                || ::chdir("/") != 0))
            std::_Exit(1);
        std::_Exit(QTest::qExec(&tests, argc, argv));
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
    return QTest::qExec(&tests, argc, argv);
}

#include "tst_bubblewrap.moc"
