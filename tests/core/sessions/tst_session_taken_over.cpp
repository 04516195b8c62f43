#include "tests/core/sessions/scripted_backend.h"
#include "tests/core/sessions/session_fixture.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

using namespace sg;
using sessions::CellStatus;
using sessions::SessionEvent;
using test::ScriptedBackend;
using test::ScriptedRunner;
using test::SessionFixture;

// A runner that has two hosts keeps to the newer one. The older one leaves it the sandbox.
class TestSessionTakenOver : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whoIsTakenOverLeavesTheSandboxAlone_data();
    void whoIsTakenOverLeavesTheSandboxAlone();
    void anEndThatComesLaterEndsNothing_data();
    void anEndThatComesLaterEndsNothing();
    void answersToAKilledProgramAreNotTakenForOurs();
};

void TestSessionTakenOver::whoIsTakenOverLeavesTheSandboxAlone_data()
{
    QTest::addColumn<bool>("isKept");
    QTest::addColumn<bool>("isTold");
    QTest::addColumn<bool>("isAnothers");
    QTest::addColumn<bool>("inACell");
    QTest::addColumn<bool>("goesOn");
    QTest::newRow("kept, told in a cell") << true << true << false << true << true;
    QTest::newRow("kept, told between cells") << true << true << false << false << true;
    QTest::newRow("kept, an older runner, the records tell") << true << false << true << true << true;
    QTest::newRow("kept, its stream ended") << true << false << false << true << false;
    // Nobody else may have it: a runner that says so would only like to go on without limits.
    QTest::newRow("not kept") << false << true << true << true << false;
}

void TestSessionTakenOver::whoIsTakenOverLeavesTheSandboxAlone()
{
    QFETCH(bool, isKept);
    QFETCH(bool, isTold);
    QFETCH(bool, isAnothers);
    QFETCH(bool, inACell);
    QFETCH(bool, goesOn);
    std::atomic<bool> isTaken = false;
    ScriptedBackend backend([&](ScriptedRunner& runner) {
        Value request = runner.greet();
        while (!inACell && request.stringOr("op", "") == "stats") { // of a tick
            runner.send({ { "ev", "stats" }, { "id", request["id"] }, { "session", Value::map() } });
            if (isTaken)
                break;
            request = runner.read();
        }
        if (isTold)
            runner.send({ { "ev", "superseded" }, { "id", 0 } });
        runner.close();
    });
    SessionFixture fixture(&backend, isKept, [&] { return isAnothers; });
    SG_VERIFY_OK(fixture.session->start());
    if (inACell) {
        const auto result = fixture.run("1");
        QCOMPARE(result.status, CellStatus::Died);
        QVERIFY(result.error);
        if (goesOn)
            SG_VERIFY_CONTAINS(result.error->message, "another program has taken it up");
    } else {
        isTaken = true;
        QVERIFY(test::waitFor([&] {
            fixture.session->tick();
            return fixture.session->hasEnded();
        }));
    }
    QCOMPARE(fixture.session->hasEnded(), goesOn);
    QCOMPARE(backend.letGo.load(), goesOn ? 1 : 0);
    QCOMPARE(backend.ended.load(), 1); // the script is over either way
    {
        const std::lock_guard lock(fixture.mutex);
        QCOMPARE(fixture.kinds.back(), goesOn ? SessionEvent::Kind::TakenOver : SessionEvent::Kind::Ended);
    }
    if (goesOn) {
        const auto next = fixture.run("1");
        QVERIFY(next.error);
        SG_VERIFY_CONTAINS(next.error->message, "another program has taken it up");
    }
}

void TestSessionTakenOver::anEndThatComesLaterEndsNothing_data()
{
    QTest::addColumn<bool>("makesRoom");
    QTest::newRow("its idle time is over here, but the other program uses it") << false;
    QTest::newRow("it is to make room here") << true;
}

void TestSessionTakenOver::anEndThatComesLaterEndsNothing()
{
    QFETCH(bool, makesRoom);
    std::atomic<bool> isSaid = false;
    ScriptedBackend backend([&](ScriptedRunner& runner) {
        static_cast<void>(runner.read()); // the hello
        runner.send({ { "ev", "ready" }, { "v", 1 } });
        runner.send({ { "ev", "superseded" }, { "id", 0 } });
        runner.close();
        isSaid = true;
    });
    SessionFixture fixture(&backend, true);
    SG_VERIFY_OK(fixture.session->start());
    QVERIFY(test::waitFor([&] { return isSaid.load(); }));
    if (makesRoom)
        QVERIFY(fixture.session->makeRoom("it made room for thread bob"));
    else
        fixture.session->end("it was idle for 1 s");
    QVERIFY(fixture.session->hasEnded());
    QCOMPARE(backend.letGo.load(), 1);
    const std::lock_guard lock(fixture.mutex);
    QCOMPARE(fixture.kinds.back(), SessionEvent::Kind::TakenOver);
}

// Its call still runs, a snapshot is to follow, and more waits in line: all of it has ids that came after
// those that the runner tells of.
void TestSessionTakenOver::answersToAKilledProgramAreNotTakenForOurs()
{
    ScriptedBackend backend([](ScriptedRunner& runner) {
        Value request = runner.read();
        for (; request.stringOr("op", "") == "hello"; request = runner.read())
            runner.send({ { "ev", "ready" },
                          { "v", 1 },
                          { "resumed", true },
                          { "running", 7 },
                          { "finished", Value::list({ Value::map({ { "id", 6 }, { "status", "ok" } }) }) } });
        if (request.stringOr("op", "") == "interrupt" && request.intOr("id", 0) == 7)
            request = runner.read();
        for (int id = 7; id < 2000; ++id)
            runner.send({ { "ev", id % 2 == 0 ? "snapshot" : "done" }, { "id", id }, { "status", "died" } });
        runner.send(
            { { "ev", "done" }, { "id", request["id"] }, { "status", "ok" }, { "artifacts", false } });
        runner.read();
    });
    SessionFixture fixture(&backend);
    SG_VERIFY_OK(fixture.session->start());
    const auto result = fixture.run("1");
    QVERIFY2(result.status == CellStatus::Ok, result.error ? result.error->message.c_str() : "");
}

SG_CORE_TEST(TestSessionTakenOver)
#include "tst_session_taken_over.moc"
