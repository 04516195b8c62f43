#include "tests/core/sessions/room_world.h"
#include "tests/support/test_main.h"

using namespace sg;
using sessions::SessionEvent;
using sessions::SessionManager;
using sessions::SessionSpec;
using test::Asker;
using test::cell;
using test::isWaiting;
using test::Told;
using test::waitFor;
using World = test::LifecycleWorld;

// Where the host's budget is spent, who is not in use makes room, and stands where it did when it is needed.
class TestSessionRoom : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anIdleOneMakesRoomAndSaysSo();
    void theLongestIdleGoesFirst();
    void aRunsSessionsAreLeftAlone();
    void aBusyOneIsLeftAlone();
    void anOpenTerminalIsUse();
    void aPausedOneMakesRoom();
    void itStandsWhereItDid();
    void whatCannotBeKeptIsNamed();
    void aCallFindsWhatItAsksFor_data();
    void aCallFindsWhatItAsksFor();
    void aRunThatNeedsMoreThanThereIsFails();
    void aDeadOneHoldsNoPlace();
    void itIsThereWhenItIsAskedForAgain();
    void whatSleptIsToldOfNoOtherSandbox_data();
    void whatSleptIsToldOfNoOtherSandbox();
};

void TestSessionRoom::anIdleOneMakesRoomAndSaysSo()
{
    World world({ 1, 0 }, true);
    const auto first = world.session("alice");
    QVERIFY(first);
    QCOMPARE(cell(*first, "x = 1").text, std::string());
    const auto second = world.session("bob");
    QVERIFY2(second, world.problem.c_str());
    QCOMPARE(world.said(SessionEvent::Kind::Ended), std::string("it made room for thread bob|"));
    QCOMPARE(first->info().state.text(), std::string("ended: it made room for thread bob"));
    QCOMPARE(world.stateOf(first->info().id), std::string("ended: it made room for thread bob"));
    QCOMPARE(world.backend->alive.load(), 1);
    // Who has it still may go on with it.
    const Told again = cell(*first, "x");
    QCOMPARE(again.value, std::string("1"));
    SG_VERIFY_CONTAINS(again.text, "the session of thread alice waits for room on this machine");
    SG_VERIFY_CONTAINS(again.text, "the session had made room for another one, and was started anew");
    QVERIFY(!again.restarted);
    QCOMPARE(second->info().state.text(), std::string("ended: it made room for thread alice"));
    QCOMPARE(world.stateOf(first->info().id), std::string("live"));
    QCOMPARE(world.backend->alive.load(), 1);
}

void TestSessionRoom::theLongestIdleGoesFirst()
{
    World world({ 2, 0 }, true);
    const auto first = world.session("alice");
    const auto second = world.session("bob");
    QVERIFY(first && second);
    QCOMPARE(cell(*second, "1").value, std::string("1"));
    QTest::qWait(5); // or both were used in the same moment
    QCOMPARE(cell(*first, "1").value, std::string("1"));
    QVERIFY(world.session("carol"));
    QCOMPARE(first->info().state.text(), std::string("idle"));
    QCOMPARE(second->info().state.text(), std::string("ended: it made room for thread carol"));
}

void TestSessionRoom::aRunsSessionsAreLeftAlone()
{
    World world({ 1, 0 });
    const auto first = world.session("alice");
    QVERIFY(first);
    world.setInRun("alice", true);
    Asker bob(world, "bob");
    QVERIFY(isWaiting(world));
    QTest::qWait(500); // some looks
    QVERIFY(!bob.isDone);
    QCOMPARE(first->info().state.text(), std::string("idle"));
    world.setInRun("alice", false);
    QVERIFY(waitFor([&] { return bob.isDone.load(); }));
    SG_VERIFY_OK(bob.session);
    QCOMPARE(first->info().state.text(), std::string("ended: it made room for thread bob"));
}

void TestSessionRoom::aBusyOneIsLeftAlone()
{
    World world({ 1, 0 }, true);
    const auto first = world.session("alice");
    QVERIFY(first);
    const std::string path = world.folder / "go";
    Told told;
    std::jthread running([&] {
        told = cell(*first, "import os, time\nwhile not os.path.exists('" + path + "'): time.sleep(0.01)\n7");
    });
    QVERIFY(waitFor([&] { return first->info().state.is(sessions::SessionState::Kind::Busy); }));
    Asker bob(world, "bob");
    QVERIFY(isWaiting(world));
    QTest::qWait(500); // some looks
    QVERIFY(!bob.isDone);
    SG_VERIFY_OK(writeFileAtomically(path, ""));
    QVERIFY(waitFor([&] { return bob.isDone.load(); }));
    SG_VERIFY_OK(bob.session);
    running.join();
    QCOMPARE(told.value, std::string("7"));
}

void TestSessionRoom::anOpenTerminalIsUse()
{
    World world({ 1, 0 }, true);
    const auto first = world.session("alice");
    QVERIFY(first);
    first->noteTerminal(sg::sessions::Session::Terminal::Opened);
    Asker bob(world, "bob");
    QVERIFY(isWaiting(world));
    QTest::qWait(500); // some looks
    QVERIFY(!bob.isDone);
    first->noteTerminal(sg::sessions::Session::Terminal::Closed);
    QVERIFY(waitFor([&] { return bob.isDone.load(); }));
    SG_VERIFY_OK(bob.session);
}

void TestSessionRoom::aPausedOneMakesRoom()
{
    World world({ 1, 0 }, true);
    const auto first = world.session("alice");
    QVERIFY(first);
    QCOMPARE(cell(*first, "x = 42").value, std::string());
    SG_VERIFY_OK(world.manager->pause(first->info().id));
    QVERIFY2(world.session("bob"), world.problem.c_str());
    QCOMPARE(cell(*first, "x").value, std::string("42"));
}

// Cells by hand belong to no checkpoint: what they left is kept all the same.
void TestSessionRoom::itStandsWhereItDid()
{
    World world({ 1, 0 }, true);
    const auto first = world.session("alice");
    QVERIFY(first);
    QCOMPARE(cell(*first, "x = [1, 2]\nopen('by-hand', 'w').write('kept')\nNone").value, std::string());
    for (const char* other : { "bob", "carol" }) { // more than once
        QVERIFY2(world.session(other), world.problem.c_str());
        const Told again = cell(*first, "x, open('by-hand').read()");
        QCOMPARE(again.value, std::string("([1, 2], 'kept')"));
        SG_VERIFY_CONTAINS(again.text,
                           "the session had made room for another one, and was started anew, and stands "
                           "where it did: restored");
        QVERIFY(!again.restarted);
    }
}

void TestSessionRoom::whatCannotBeKeptIsNamed()
{
    World world({ 1, 0 }, true);
    const auto first = world.session("alice");
    QVERIFY(first);
    QCOMPARE(cell(*first, "x = 1\nsteps = (i for i in range(3))").value, std::string());
    QVERIFY2(world.session("bob"), world.problem.c_str());
    const Told again = cell(*first, "x");
    QCOMPARE(again.value, std::string("1"));
    SG_VERIFY_CONTAINS(again.text, "steps");
}

namespace {

// A run that asks for one stand.
struct Standing final : sessions::SessionWorld {
    sessions::Stand wanted;
    std::shared_ptr<const sessions::Snapshot> left;
    [[nodiscard]] sessions::Stand stand(const sessions::CallSite&) override { return wanted; }
    void began(const sessions::CallSite&, std::shared_ptr<const sessions::Snapshot>) override { }
    void moved(const sessions::CallSite&, std::shared_ptr<const sessions::Snapshot> snapshot, bool) override
    {
        left = std::move(snapshot);
    }
};

std::string called(sessions::Session& session, Standing& world)
{
    sessions::FunctionCall call;
    call.file = "n.py";
    call.source = "import __main__\nsteps = globals().get('steps', 0)\n"
                  "def node(state):\n    global steps\n    steps += 1\n"
                  "    return {'steps': steps, 'by_hand': vars(__main__).get('by_hand', 'none')}\n";
    call.state = Value::map();
    call.config = Value::map();
    call.world = &world;
    call.isOfRun = true;
    const auto result = session.call(call, {}, {}, {}, {});
    if (result.error)
        return result.error->type + ": " + result.error->message;
    return std::to_string(result.value.intOr("steps", -1)) + " " + result.value.stringOr("by_hand", "?")
        + (result.restored ? ", " + describe(*result.restored) : "");
}

} // namespace

void TestSessionRoom::aCallFindsWhatItAsksFor_data()
{
    QTest::addColumn<bool>("isAsIs");
    QTest::addColumn<bool>("keepsEdits");
    QTest::addColumn<bool>("hasEdits");
    QTest::newRow("as it is") << true << false << true;
    QTest::newRow("the snapshot and what was done by hand since") << false << true << true;
    QTest::newRow("just the snapshot") << false << false << true;
    QTest::newRow("nothing was done by hand") << false << true << false;
}

void TestSessionRoom::aCallFindsWhatItAsksFor()
{
    QFETCH(bool, isAsIs);
    QFETCH(bool, keepsEdits);
    QFETCH(bool, hasEdits);
    World world({ 1, 0 }, true);
    const auto first = world.session("alice");
    QVERIFY(first);
    Standing run;
    run.wanted.kind = sessions::Stand::Kind::AsIs;
    const std::string begin = called(*first, run);
    QVERIFY2(begin.starts_with("1 none"), begin.c_str());
    if (!isAsIs) {
        run.wanted.kind = sessions::Stand::Kind::Snapshot;
        run.wanted.snapshot = run.left;
        run.wanted.keepsEdits = keepsEdits;
    }
    if (hasEdits)
        QCOMPARE(cell(*first, "by_hand = 'edited'").value, std::string());
    QVERIFY2(world.session("bob"), world.problem.c_str());
    const std::string again = called(*first, run);
    const std::string expected =
        hasEdits && (isAsIs || keepsEdits) ? "2 edited, restored" : "2 none, restored";
    QVERIFY2(again.starts_with(expected), again.c_str());
}

void TestSessionRoom::aRunThatNeedsMoreThanThereIsFails()
{
    World world({ 1, 0 });
    world.setInRun("alice", true);
    SessionSpec own;
    own.part = sessions::SessionPart::parse("node writer");
    SG_VERIFY_OK(world.manager->acquire(ThreadId("alice"), {}, {}, {}, SessionManager::For::Run));
    const auto second = world.manager->acquire(ThreadId("alice"), own, {}, {}, SessionManager::For::Run);
    QVERIFY(!second);
    QCOMPARE(second.error().code, Errc::LimitExceeded);
    SG_VERIFY_CONTAINS(second.error().message, "is held by runs that wait for more of it");
    world.setInRun("alice", false); // it has failed: others go on
    QVERIFY2(world.session("bob"), world.problem.c_str());
}

void TestSessionRoom::aDeadOneHoldsNoPlace()
{
    World world({ 1, 0 });
    const auto first = world.session("alice");
    QVERIFY(first);
    world.setInRun("alice", true);
    ::kill(world.backend->lastPid, SIGKILL);
    Asker bob(world, "bob");
    QVERIFY(waitFor([&] { return bob.isDone.load(); }));
    SG_VERIFY_OK(bob.session);
    SG_VERIFY_CONTAINS(world.said(SessionEvent::Kind::Ended), "the sandbox ended by itself");
    world.setInRun("alice", false);
    QCOMPARE(cell(*first, "7").value, std::string("7")); // when there is room again
    SG_VERIFY_CONTAINS(world.said(SessionEvent::Kind::Ended), "it made room for thread alice");
}

// For those who need its sandbox and run no cell, such as the staging of datasets.
void TestSessionRoom::itIsThereWhenItIsAskedForAgain()
{
    World world({ 1, 0 }, true);
    const auto first = world.session("alice");
    QVERIFY(first);
    QCOMPARE(cell(*first, "x = 42").value, std::string());
    QVERIFY2(world.session("bob"), world.problem.c_str());
    QVERIFY(!first->link());
    const auto again = world.session("alice");
    QCOMPARE(again, first);
    QVERIFY(again->link());
    QCOMPARE(world.stateOf(first->info().id), std::string("live"));
    QCOMPARE(cell(*first, "x").value, std::string("42"));
}

void TestSessionRoom::whatSleptIsToldOfNoOtherSandbox_data()
{
    QTest::addColumn<bool>("hasDied");
    QTest::newRow("it made room") << false;
    QTest::newRow("it died") << true;
}

void TestSessionRoom::whatSleptIsToldOfNoOtherSandbox()
{
    QFETCH(bool, hasDied);
    World world({ 1, 0 }, true);
    const auto first = world.session("alice");
    QVERIFY(first);
    Standing run;
    run.wanted.kind = sessions::Stand::Kind::AsIs;
    QVERIFY(called(*first, run).starts_with("1 none"));
    QCOMPARE(first->info().asleep.back(), run.left->id); // after where it began
    std::vector<SnapshotId> during;
    if (hasDied) {
        ::kill(world.backend->lastPid, SIGKILL);
        QVERIFY(waitFor([&] { return !first->link(); }));
        QVERIFY(first->info().asleep.empty());
        const sessions::CellHandlers handlers{
            [&](const sessions::CellOutput&) { during = first->info().asleep; }, {}
        };
        static_cast<void>(first->runCell("print(1)", {}, {}, handlers, {}));
    } else {
        QVERIFY2(world.session("bob"), world.problem.c_str());
        QVERIFY(first->info().asleep.empty());
        QCOMPARE(world.session("alice"), first);
        QTest::qWait(100); // some ticks
        during = first->info().asleep;
    }
    QVERIFY(first->link());
    QVERIFY(during.empty());
    QVERIFY(first->info().asleep.empty());
}

SG_CORE_TEST(TestSessionRoom)
#include "tst_session_room.moc"
