#include "core/sandbox/owner_process.h"
#include "tests/support/ending_process.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::sandbox;

class TestOwnerProcess final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void marksAreReadBack();
    void oneWhoseParentDoesNotAskIsGone();
    void oneMayEndWhileItIsLookedAt();
};

void TestOwnerProcess::marksAreReadBack()
{
    const OwnerProcess own = ownProcess();
    QVERIFY(own.startTicks > 0);
    const auto read = parseOwnerMark(ownerMark(own));
    QVERIFY(read.has_value());
    QVERIFY(!isGone(*read));
    OwnerProcess earlier = own;
    --earlier.startTicks;
    QVERIFY(isGone(earlier));
}

void TestOwnerProcess::oneWhoseParentDoesNotAskIsGone()
{
    const pid_t child = ::fork();
    if (child == 0) {
        ::pause();
        ::_exit(0);
    }
    OwnerProcess owner = ownProcess();
    owner.pid = child;
    owner.startTicks = processStartTicks(child);
    QVERIFY(owner.startTicks > 0);
    QVERIFY(!isGone(owner));
    ::kill(child, SIGKILL);
    siginfo_t ended{};
    QCOMPARE(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0); // it stays a zombie
    QVERIFY(isGone(owner));
    QCOMPARE(::waitpid(child, nullptr, 0), child);
    QVERIFY(isGone(owner));
}

void TestOwnerProcess::oneMayEndWhileItIsLookedAt()
{
    int seen = 0;
    test::lookWhileTheyEnd([&](pid_t process) { seen += processStartTicks(process) > 0 ? 1 : 0; }, 500);
    QVERIFY(seen > 0);
}

SG_CORE_TEST(TestOwnerProcess)
#include "tst_owner_process.moc"
