#include "tests/core/sessions/room_world.h"
#include "tests/support/test_main.h"

using namespace sg;
using sessions::SessionEvent;
using sessions::SessionManager;
using test::Asker;
using test::cell;
using test::Told;
using test::waitFor;
using World = test::LifecycleWorld;

// Where room is to be made, nothing that cannot be had again is ended, and nobody waits in vain.
class TestSessionStays : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void itStandsThereAfterMakingRoomTwice();
    void whatCannotBeWrittenOutStays_data();
    void whatCannotBeWrittenOutStays();
    void whatIsLeftOfALossComesBack();
    void whoHasEndedWaitsNoMore();
    void whatNobodyNeedsTakesOnlyRoomThatThereIs();
};

// Woken without a cell, it has nothing of what it stood for, and makes room again.
void TestSessionStays::itStandsThereAfterMakingRoomTwice()
{
    World world({ 1, 0 }, true);
    const auto first = world.session("alice");
    QVERIFY(first);
    QCOMPARE(cell(*first, "x = 42\nopen('by-hand', 'w').write('kept')\nNone").value, std::string());
    QVERIFY2(world.session("bob"), world.problem.c_str());
    QCOMPARE(world.session("alice"), first);
    QVERIFY(first->link());
    QVERIFY2(world.session("carol"), world.problem.c_str());
    QVERIFY(!first->link());
    QCOMPARE(cell(*first, "x, open('by-hand').read()").value, std::string("(42, 'kept')"));
}

void TestSessionStays::whatCannotBeWrittenOutStays_data()
{
    QTest::addColumn<bool>("rewinds");
    QTest::addColumn<bool>("isPaused");
    QTest::newRow("no snapshots are taken") << false << false;
    QTest::newRow("nowhere to write to") << true << false;
    QTest::newRow("the same, and it is paused") << true << true;
}

void TestSessionStays::whatCannotBeWrittenOutStays()
{
    QFETCH(bool, rewinds);
    QFETCH(bool, isPaused);
    World world({ 2, 0 }, rewinds);
    const auto first = world.session("alice");
    QVERIFY(first);
    QCOMPARE(cell(*first, "x = 42").value, std::string());
    if (rewinds)
        SG_VERIFY_OK(writeFileAtomically(world.folder / "snapshots", "no folder"));
    if (isPaused)
        SG_VERIFY_OK(world.manager->pause(first->info().id));
    const sessions::SessionState state = first->info().state;
    QTest::qWait(5); // or both began in the same moment
    const auto unused = world.session("bob");
    QVERIFY(unused);
    QVERIFY2(world.session("carol"), world.problem.c_str()); // bob's had been idle for less time
    QCOMPARE(unused->info().state.text(), std::string("ended: it made room for thread carol"));
    QVERIFY(first->info().state == state);
    world.setInRun("carol", true); // nobody is left who could make room
    Asker dave(world, "dave");
    QVERIFY(waitFor([&] {
        return world.said(SessionEvent::Kind::Waiting).find("thread dave waits for room")
            != std::string::npos;
    }));
    QTest::qWait(500); // some looks
    QVERIFY(!dave.isDone);
    QVERIFY(first->info().state == state);
    const Told still = cell(*first, "x");
    QCOMPARE(still.value, std::string("42"));
    QCOMPARE(still.text, std::string());
    first->end();
    QVERIFY(waitFor([&] { return dave.isDone.load(); }));
    SG_VERIFY_OK(dave.session);
}

// Its interpreter died, its files are there.
void TestSessionStays::whatIsLeftOfALossComesBack()
{
    World world({ 1, 0 }, true);
    const auto first = world.session("alice");
    QVERIFY(first);
    QCOMPARE(cell(*first, "x = 1\nopen('by-hand', 'w').write('kept')\nNone").value, std::string());
    SG_VERIFY_CONTAINS(cell(*first, "import os\nos._exit(3)").value, "InterpreterDied");
    QVERIFY2(world.session("bob"), world.problem.c_str());
    QVERIFY(!first->link());
    const Told again = cell(*first, "open('by-hand').read(), 'x' in globals()");
    QCOMPARE(again.value, std::string("('kept', False)"));
    QVERIFY(again.restarted);
}

void TestSessionStays::whoHasEndedWaitsNoMore()
{
    World world({ 1, 0 });
    const auto first = world.session("alice");
    QVERIFY(first);
    QVERIFY2(world.session("bob"), world.problem.c_str());
    world.setInRun("bob", true);
    std::atomic<bool> isDone = false;
    Told told;
    std::jthread running([&] {
        told = cell(*first, "1");
        isDone = true;
    });
    QVERIFY(waitFor([&] {
        return world.said(SessionEvent::Kind::Waiting).find("thread alice waits") != std::string::npos;
    }));
    first->end();
    QVERIFY(waitFor([&] { return isDone.load(); }));
    SG_VERIFY_CONTAINS(told.value, "ended: the session was ended");
    world.setInRun("bob", false);
}

void TestSessionStays::whatNobodyNeedsTakesOnlyRoomThatThereIs()
{
    World world({ 1, 0 }, true);
    const auto first = world.session("alice");
    QVERIFY(first);
    const auto other = world.manager->acquire(ThreadId("bob"), {}, {}, {}, SessionManager::For::Nobody);
    QVERIFY(!other);
    QCOMPARE(other.error().code, Errc::LimitExceeded);
    QCOMPARE(other.error().message,
             std::string("start a session for thread bob: there is no room for it on this machine now"));
    QCOMPARE(first->info().state.text(), std::string("idle"));
    QVERIFY2(world.session("carol"), world.problem.c_str());
    world.setInRun("carol", true);
    const auto again = world.manager->acquire(ThreadId("alice"), {}, {}, {}, SessionManager::For::Nobody);
    QVERIFY(!again);
    QCOMPARE(again.error().message,
             std::string("start a session for thread alice: there is no room for it on this machine now"));
    world.manager->find(ThreadId("carol"))->end();
    SG_VERIFY_OK(world.manager->acquire(ThreadId("bob"), {}, {}, {}, SessionManager::For::Nobody));
}

SG_CORE_TEST(TestSessionStays)
#include "tst_session_stays.moc"
