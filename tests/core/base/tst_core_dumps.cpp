// A program that knows secrets leaves no image of its memory.

#include "core/base/child_process.h"
#include "core/base/core_dumps.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

using namespace sg;

class TestCoreDumps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void areRefused_data()
    {
        QTest::addColumn<QByteArray>("asked");
        QTest::addColumn<bool>("refused");
        QTest::newRow("as a rule") << QByteArray() << true;
        QTest::newRow("asked for") << QByteArray("1") << false;
        QTest::newRow("asked for, badly") << QByteArray("yes") << true;
    }
    void areRefused()
    {
        QFETCH(const QByteArray, asked);
        QFETCH(const bool, refused);
        qputenv("SANDGLASS_CORE_DUMPS", asked);
        const pid_t child = ::fork();
        if (child == 0) {
            rlimit before{};
            ::getrlimit(RLIMIT_CORE, &before);
            refuseCoreDumps();
            rlimit after{};
            ::getrlimit(RLIMIT_CORE, &after);
            const int flag = ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
            const bool isRefused = flag == 0 && after.rlim_cur == 0 && after.rlim_max == 0;
            const bool isLeft = flag == 1 && after.rlim_cur == before.rlim_cur;
            ::_exit(refused ? (isRefused ? 0 : 1) : (isLeft ? 0 : 1));
        }
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QCOMPARE(status, 0);
        qunsetenv("SANDGLASS_CORE_DUMPS");
    }

    // Programs that are started must be able to look at themselves: bubblewrap writes its own uid_map.
    void programsThatAreStartedAreAsUsual()
    {
        const pid_t child = ::fork();
        if (child == 0) {
            refuseCoreDumps();
            ProcessSpec spec;
            spec.program = "/bin/sh";
            spec.arguments = { "-c", "ulimit -c; stat -c %U /proc/self/environ; id -un" };
            if (::geteuid() == 0) {
                spec.prepare = [] {
                    return ::setresgid(65534, 65534, 65534) == 0 && ::setresuid(65534, 65534, 65534) == 0 ? 0
                                                                                                          : 1;
                };
            }
            const auto said = runProcess(spec, {}, std::chrono::seconds(10));
            if (!said)
                ::_exit(2);
            const std::size_t first = said->out.find('\n');
            const std::size_t second = said->out.find('\n', first + 1);
            const std::string owner = said->out.substr(first + 1, second - first - 1);
            const std::string user = said->out.substr(second + 1, said->out.rfind('\n') - second - 1);
            ::_exit(said->out.starts_with("0\n") && owner == user ? 0 : 3);
        }
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QCOMPARE(WEXITSTATUS(status), 0);
    }
};

SG_TEST(TestCoreDumps)
#include "tst_core_dumps.moc"
