#include "core/checkpoint/thread_lock.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>

using namespace sg;
using checkpoint::ThreadLock;

class TestThreadLock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void holdsOneThread()
    {
        const test::TempDir folder;
        const auto database = folder.write("c.sqlite", "");
        std::optional<Result<ThreadLock>> lock = ThreadLock::take(database, ThreadId("a"));
        SG_VERIFY_OK(*lock);
        QVERIFY(ThreadLock::isHeld(database, ThreadId("a")));
        QVERIFY(!ThreadLock::isHeld(database, ThreadId("b")));
        const auto again = ThreadLock::take(database, ThreadId("a"));
        QVERIFY(!again);
        QVERIFY(again.error().code == Errc::Conflict);
        SG_VERIFY_CONTAINS(again.error().message, "'a'");
        SG_VERIFY_OK(ThreadLock::take(database, ThreadId("b")));
        QVERIFY(ThreadLock::isHeld(database, ThreadId("a"))); // although a descriptor of the file was closed
        lock.reset();
        QVERIFY(!ThreadLock::isHeld(database, ThreadId("a")));
        SG_VERIFY_OK(ThreadLock::take(database, ThreadId("a")));
    }

    void isTheSameByEveryPath()
    {
        const test::TempDir folder;
        const auto database = folder.write("real/c.sqlite", "");
        std::filesystem::create_symlink(folder / "real", folder / "link");
        const auto lock = ThreadLock::take(folder / "link/c.sqlite", ThreadId("a"));
        SG_VERIFY_OK(lock);
        QVERIFY(ThreadLock::isHeld(database, ThreadId("a")));
        QVERIFY(ThreadLock::isHeld(folder / "real/../link/c.sqlite", ThreadId("a")));
    }

    void askingLeavesNothing()
    {
        const test::TempDir folder;
        const auto database = folder.write("c.sqlite", "");
        QVERIFY(!ThreadLock::isHeld(database, ThreadId("a")));
        QVERIFY(!std::filesystem::exists(database.string() + "-runs"));
        const auto nowhere = ThreadLock::take(folder / "none/c.sqlite", ThreadId("a"));
        QVERIFY(!nowhere);
        SG_VERIFY_CONTAINS(nowhere.error().message, "none/c.sqlite-runs");
    }

    // The kernel gives it back, however its owner ended.
    void endsWithItsProcess()
    {
        const test::TempDir folder;
        const auto database = folder.write("c.sqlite", "");
        int ready[2];
        QCOMPARE(::pipe(ready), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            const auto lock = ThreadLock::take(database, ThreadId("a"));
            const char byte = lock ? 'y' : 'n';
            [[maybe_unused]] const ssize_t written = ::write(ready[1], &byte, 1);
            ::pause();
            ::_exit(0);
        }
        char byte = 0;
        QCOMPARE(::read(ready[0], &byte, 1), ssize_t(1));
        QCOMPARE(byte, 'y');
        QVERIFY(ThreadLock::isHeld(database, ThreadId("a")));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        QVERIFY(!ThreadLock::isHeld(database, ThreadId("a")));
        ::close(ready[0]);
        ::close(ready[1]);
    }
};

SG_TEST(TestThreadLock)
#include "tst_thread_lock.moc"
