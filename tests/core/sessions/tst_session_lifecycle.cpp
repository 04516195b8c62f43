#include "tests/core/sessions/lifecycle_world.h"
#include "tests/support/test_main.h"

using namespace sg;
using sessions::SessionEvent;
using sessions::SessionPart;
using sessions::SessionSpec;
using test::waitFor;
using World = test::LifecycleWorld;
using test::kProject;

class TestSessionLifecycle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void partsOfAThreadHaveSessionsOfTheirOwn();
    void aRunsSessionEndsWithTheRun();
    void idleOnesEnd();
    void oldOnesEnd();
    void extendedOnesLiveOn();
    void pausesAndWakesForTheNextCell();
    void doesNotPauseARunningCell();
    void changesLimitsInPlace();
    void replacesWhereLimitsAreFixed();
    void waitsForRoom();
    void aWaitCanBeStopped();
    void startsAhead();
    void onesAheadCountAndMakeRoom();
    void pausedOnesAheadWake();
    void whatIsAheadMustFit();
    void importsAhead();
    void recordsWhatHappened();
    void keepsPythonState();
    void collectsGarbage();
    void pausedOnesAreNotIdle();
    void theEndDoesNotWaitForAKeyring();
};

void TestSessionLifecycle::partsOfAThreadHaveSessionsOfTheirOwn()
{
    World world;
    SessionSpec agent;
    agent.part = SessionPart::parse("node writer");
    const auto own = world.session("alice");
    const auto writers = world.session("alice", agent);
    QVERIFY(own && writers && own != writers);
    QCOMPARE(world.valueOf(*own, "x = 1"), std::string());
    SG_VERIFY_CONTAINS(world.valueOf(*writers, "x"), std::string("NameError"));
    QCOMPARE(world.manager->find(ThreadId("alice"), SessionPart::parse("node writer")), writers);
    QCOMPARE(writers->info().part.text(), std::string("node writer"));
    QCOMPARE(world.manager->list().size(), std::size_t(2));
}

void TestSessionLifecycle::aRunsSessionEndsWithTheRun()
{
    World world;
    SessionSpec first;
    first.part = SessionPart::parse("run 1");
    SessionSpec second;
    second.part = SessionPart::parse("run 12");
    const auto one = world.session("alice", first);
    const auto other = world.session("alice", second);
    QVERIFY(one && other);
    world.manager->endRun(RunId("1"));
    QVERIFY(!world.manager->find(ThreadId("alice"), SessionPart::parse("run 1")));
    QVERIFY(world.manager->find(ThreadId("alice"), SessionPart::parse("run 12")));
    QCOMPARE(world.stateOf(one->info().id), std::string("ended: its run is over"));
}

void TestSessionLifecycle::idleOnesEnd()
{
    World world;
    SessionSpec spec;
    spec.lifetime.idle = Millis(150);
    const auto session = world.session("alice", spec);
    QVERIFY(session);
    // A cell that is longer than the idle time: it is not idle meanwhile.
    QCOMPARE(world.valueOf(*session, "import time; time.sleep(0.4); 7"), std::string("7"));
    QVERIFY(world.manager->find(ThreadId("alice")));
    QVERIFY(waitFor([&] { return !world.manager->find(ThreadId("alice")); }));
    QVERIFY(waitFor([&] { return world.backend->alive == 0; }));
    QVERIFY(waitFor([&] { return world.said(SessionEvent::Kind::Ended) == "it was idle for 0.15 s|"; }));
    SG_VERIFY_CONTAINS(world.stateOf(session->info().id), std::string("ended: it was idle"));
    QVERIFY(world.session("alice", spec)); // and a new one can be had
}

void TestSessionLifecycle::oldOnesEnd()
{
    World world;
    SessionSpec spec;
    spec.lifetime.age = Millis(300);
    const auto session = world.session("alice", spec);
    QVERIFY(session);
    QVERIFY(waitFor([&] {
        static_cast<void>(world.valueOf(*session, "1"));
        return !world.manager->find(ThreadId("alice"));
    }));
    QVERIFY(waitFor([&] {
        return world.said(SessionEvent::Kind::Ended).find("age limit of 0.3 s") != std::string::npos;
    }));
}

void TestSessionLifecycle::extendedOnesLiveOn()
{
    World world;
    SessionSpec spec;
    spec.lifetime.age = Millis(200);
    const auto session = world.session("alice", spec);
    QVERIFY(session);
    SG_VERIFY_OK(world.manager->extend(session->info().id, Millis(600)));
    SG_VERIFY_CONTAINS(world.said(SessionEvent::Kind::Extended),
                       "from now|"); // whoever looks on sees it at once
    const auto begin = std::chrono::steady_clock::now();
    QVERIFY(waitFor([&] { return !world.manager->find(ThreadId("alice")); }));
    QVERIFY(std::chrono::steady_clock::now() - begin >= Millis(500));
    QVERIFY(
        waitFor([&] { return world.said(SessionEvent::Kind::Ended).find("extended") != std::string::npos; }));
    QVERIFY(!world.manager->extend(session->info().id, Millis(600)));
    QVERIFY(!world.manager->extend(SessionId("s-none"), Millis(600)));
}

void TestSessionLifecycle::pausesAndWakesForTheNextCell()
{
    World world;
    const auto session = world.session("alice");
    QVERIFY(session);
    QCOMPARE(world.valueOf(*session, "x = 42"), std::string());
    const SessionId id = session->info().id;
    SG_VERIFY_OK(world.manager->pause(id));
    QCOMPARE(session->info().state.text(), std::string("paused"));
    QCOMPARE(world.stateOf(id), std::string("paused"));
    SG_VERIFY_OK(world.manager->unpause(id));
    QCOMPARE(session->info().state.text(), std::string("idle"));
    SG_VERIFY_OK(world.manager->pause(id));
    QCOMPARE(world.valueOf(*session, "x"), std::string("42"));
    QCOMPARE(session->info().state.text(), std::string("idle"));
    SG_VERIFY_OK(world.manager->pause(id));
    world.manager.reset(); // a paused one can be ended
    QVERIFY(!world.manager);
}

void TestSessionLifecycle::doesNotPauseARunningCell()
{
    World world;
    const auto session = world.session("alice");
    QVERIFY(session);
    std::jthread cell([&] { static_cast<void>(world.valueOf(*session, "import time; time.sleep(1)")); });
    QVERIFY(waitFor([&] { return session->info().state.is(sessions::SessionState::Kind::Busy); }));
    const auto paused = world.manager->pause(session->info().id);
    QVERIFY(!paused && paused.error().code == Errc::Conflict);
    SG_VERIFY_CONTAINS(paused.error().message, std::string("runs a cell"));
}

void TestSessionLifecycle::changesLimitsInPlace()
{
    World world;
    const auto session = world.session("alice");
    QVERIFY(session);
    QCOMPARE(world.valueOf(*session, "x = 1"), std::string());
    SessionSpec more;
    more.limits.pids = 77;
    QCOMPARE(world.session("alice", more), session); // names and all
    QCOMPARE(world.valueOf(*session, "x"), std::string("1"));
    QCOMPARE(world.backend->lastPids.load(), std::int64_t(77));
    QVERIFY(session->info().limits.pids == 77);
    sandbox::Limits limits = more.limits;
    limits.pids = 99;
    SG_VERIFY_OK(world.manager->setLimits(session->info().id, limits));
    QVERIFY(world.manager->records()->find(session->info().id)->value().info.limits.pids == 99);
    QVERIFY(!world.manager->setLimits(SessionId("s-none"), limits));
}

void TestSessionLifecycle::replacesWhereLimitsAreFixed()
{
    World world;
    world.backend->refusesLimits = true;
    const auto session = world.session("alice");
    SessionSpec more;
    more.limits.pids = 77;
    const auto next = world.session("alice", more);
    QVERIFY(session && next && next != session);
}

void TestSessionLifecycle::waitsForRoom()
{
    World world({ 1, 0 });
    const auto first = world.session("alice");
    QVERIFY(first);
    world.setInRun("alice", true);
    std::shared_ptr<sessions::Session> second;
    std::jthread other([&] { second = world.session("bob"); });
    QVERIFY(waitFor([&] { return !world.said(SessionEvent::Kind::Waiting).empty(); }));
    SG_VERIFY_CONTAINS(
        world.said(SessionEvent::Kind::Waiting),
        std::string("the session of thread bob waits for room on this machine: 1 session is alive"));
    first->end();
    other.join();
    QVERIFY(second);
}

void TestSessionLifecycle::aWaitCanBeStopped()
{
    World world({ 1, 0 });
    const auto first = world.session("alice");
    world.setInRun("alice", true);
    std::stop_source stop;
    Result<std::shared_ptr<sessions::Session>> second = Error{ Errc::Io, "" };
    std::jthread other([&] { second = world.manager->acquire(ThreadId("bob"), {}, stop.get_token()); });
    QVERIFY(waitFor([&] { return !world.said(SessionEvent::Kind::Waiting).empty(); }));
    stop.request_stop();
    other.join();
    QVERIFY(!second && second.error().code == Errc::Cancelled);
}

void TestSessionLifecycle::startsAhead()
{
    World world;
    world.manager->startAhead({}, { 2, false });
    QVERIFY(waitFor([&] { return world.manager->readyAhead() == 2; }));
    QCOMPARE(world.backend->starts.load(), 2);
    const auto session = world.session("alice");
    QVERIFY(session);
    QCOMPARE(world.valueOf(*session, "6 * 7"), std::string("42"));
    QVERIFY(waitFor([&] { return world.manager->readyAhead() == 2; })); // one is started in its place
    QCOMPARE(world.backend->starts.load(), 3);
    QVERIFY(world.manager->records()->find(session->info().id)->has_value());
    world.manager->startAhead({}, { 0, false });
    QVERIFY(waitFor([&] { return world.backend->alive == 1; }));
}

// They have memory as any other, until somebody needs it.
void TestSessionLifecycle::onesAheadCountAndMakeRoom()
{
    World world({ 256, 4LL << 30 });
    world.manager->startAhead({}, { 3, false });
    QVERIFY(waitFor([&] { return world.manager->readyAhead() == 2; }));
    SessionSpec other;
    other.limits.tmpfsBytes /= 2;
    const auto alice = world.session("alice", other);
    QVERIFY(alice);
    QCOMPARE(world.manager->readyAhead(), 1);
    const auto bob = world.session("bob", other);
    QVERIFY(bob);
    QCOMPARE(world.manager->readyAhead(), 0);
    QCOMPARE(world.backend->alive.load(), 2);
}

void TestSessionLifecycle::pausedOnesAheadWake()
{
    World world;
    world.manager->startAhead({}, { 1, true });
    QVERIFY(waitFor([&] { return world.manager->readyAhead() == 1; }));
    const auto session = world.session("alice");
    QVERIFY(session);
    QCOMPARE(world.valueOf(*session, "6 * 7"), std::string("42"));
}

void TestSessionLifecycle::whatIsAheadMustFit()
{
    World world;
    world.manager->startAhead({}, { 1, false });
    QVERIFY(waitFor([&] { return world.manager->readyAhead() == 1; }));
    SessionSpec other;
    other.limits.tmpfsBytes /= 2;
    QVERIFY(world.session("alice", other));
    QCOMPARE(world.manager->readyAhead(), 1);
    SessionSpec kept;
    kept.keep = true;
    world.manager->startAhead(kept, { 1, false });
    QVERIFY(waitFor([&] { return world.manager->readyAhead() == 1; }));
    const int kepts = world.backend->starts;
    QVERIFY(world.session("bob", kept));
    QVERIFY(world.backend->starts <= kepts + 1); // the one in its place
    SessionSpec agent; // whose it is makes no difference
    agent.part = SessionPart::parse("node writer");
    agent.lifetime.idle = Millis(60'000);
    world.manager->startAhead(agent, { 1, false });
    QVERIFY(waitFor([&] { return world.manager->readyAhead() == 1; }));
    const int starts = world.backend->starts;
    QVERIFY(world.session("carol"));
    QVERIFY(world.backend->starts <= starts + 1); // the one in its place
}

void TestSessionLifecycle::importsAhead()
{
    World world;
    SessionSpec spec;
    spec.preload = { "no_such_module", "colorsys" };
    const auto session = world.session("alice", spec);
    QVERIFY(session);
    QCOMPARE(world.valueOf(*session, "import sys; 'colorsys' in sys.modules, 'colorsys' in globals()"),
             std::string("(True, False)"));
    SG_VERIFY_CONTAINS(world.valueOf(*session, "import no_such_module"), std::string("ModuleNotFoundError"));
}

void TestSessionLifecycle::recordsWhatHappened()
{
    World world;
    SessionSpec spec;
    spec.mode.storage = sessions::SessionStorage::Bind;
    const auto session = world.session("alice", spec);
    QVERIFY(session);
    const SessionId id = session->info().id;
    QCOMPARE(world.valueOf(*session, "1"), std::string("1"));
    ::kill(world.backend->lastPid, SIGKILL);
    QVERIFY(waitFor([&] { return world.stateOf(id).starts_with("ended: the sandbox"); }));
    QCOMPARE(world.valueOf(*session, "2"), std::string("2"));
    QVERIFY(waitFor([&] { return world.stateOf(id) == "live"; }));
    QVERIFY(waitFor([&] { return !world.manager->records()->samples(id, 1000)->empty(); })); // once a second
    session->end();
    QCOMPARE(world.stateOf(id), std::string("ended: the session was ended"));
    std::string events;
    const auto notes = world.manager->records()->notes(id, 100);
    for (auto note = notes->rbegin(); note != notes->rend(); ++note)
        events += note->event.text() + " ";
    QCOMPARE(events, std::string("started ended restarted ended "));
    world.manager.reset();
    world.make();
    QCOMPARE(world.manager->records()->find(id)->value().cells, std::int64_t(2));
    QVERIFY(!world.manager->records()->samples(id, 1000)->empty());
}

void TestSessionLifecycle::keepsPythonState()
{
    World world;
    SessionSpec spec;
    spec.mode.storage = sessions::SessionStorage::Bind;
    const auto session = world.session("alice", spec);
    QVERIFY(session);
    QCOMPARE(world.valueOf(*session, "import json; x = 'y' * 2000"), std::string());
    const auto file = world.folder / "sessions" / session->info().id.value / "python_state.json";
    QVERIFY(waitFor([&] { return std::filesystem::exists(file); }));
    const auto text = readFile(file);
    SG_VERIFY_OK(text);
    const auto state = parseJson(*text);
    SG_VERIFY_OK(state);
    QCOMPARE((*state)["variables"]["x"].stringOr("type", ""), std::string("str"));
    QVERIFY((*state)["variables"]["x"].stringOr("value", "").size() <= 1000);
    QCOMPARE((*state)["imported_modules"][std::size_t{ 0 }].asString(), std::string("json"));
}

void TestSessionLifecycle::collectsGarbage()
{
    World world;
    const auto found = [](const char* name, bool kept, bool ownerAlive) {
        sandbox::FoundSandbox one{
            name, SessionId(std::string("s-") + name), kProject, "owner", kept, ownerAlive, ""
        };
        one.ownerProcess = ownerAlive ? sandbox::ownerMark(sandbox::ownProcess()) : "";
        return one;
    };
    world.backend->found = { found("orphan", false, false), found("kept", true, false),
                             found("ours", false, true) };
    const auto planned = world.manager->collectGarbage(true);
    SG_VERIFY_OK(planned);
    QCOMPARE(planned->size(), std::size_t(1));
    QCOMPARE(planned->front().name, std::string("orphan"));
    QCOMPARE(world.backend->found.size(), std::size_t(3));
    SG_VERIFY_OK(world.manager->collectGarbage(false));
    QCOMPARE(world.backend->found.size(), std::size_t(2));
}

void TestSessionLifecycle::pausedOnesAreNotIdle()
{
    World world;
    SessionSpec spec;
    spec.lifetime.idle = Millis(600);
    const auto session = world.session("alice", spec);
    QVERIFY(session);
    SG_VERIFY_OK(world.manager->pause(session->info().id));
    std::this_thread::sleep_for(Millis(1200));
    QVERIFY(world.manager->find(ThreadId("alice")));
    SG_VERIFY_OK(world.manager->unpause(session->info().id));
    QVERIFY(waitFor([&] { return !world.manager->find(ThreadId("alice")); }));
}

void TestSessionLifecycle::theEndDoesNotWaitForAKeyring()
{
    World world;
    std::atomic<bool> isAsked = false;
    world.findHeaderSecret = [&](const std::string&,
                                 const std::stop_token& stop) -> Result<settings::Secret> {
        isAsked = true; // and nobody unlocks it
        static_cast<void>(waitFor([&] { return stop.stop_requested(); }, std::chrono::seconds(60)));
        return Error{ Errc::Cancelled, "stopped" };
    };
    SessionSpec spec;
    spec.egress = { "api.test:8080" };
    spec.secretHeaders = { "key@http://api.test:8080" };
    world.manager->startAhead(spec, { 1, false });
    QVERIFY(waitFor([&] { return isAsked.load(); }));
    const auto begin = std::chrono::steady_clock::now();
    world.manager.reset();
    QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
}

SG_TEST(TestSessionLifecycle)
#include "tst_session_lifecycle.moc"
