#include "core/sessions/live/session_audit.h"
#include "core/sessions/live/session_limits_now.h"
#include "core/sessions/live/session_place.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <thread>

using namespace sg;
using namespace sg::sessions;

// The parts of a session, each by itself.
class TestSessionParts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aPlaceIsAskedForWhereThereIsNone();
    void anEndedSessionWaitsForNoPlace();
    void onlyWhatCanChangeChanges();
    void aFolderIsMeasuredNowAndThen();
    void rowsSayWhoseTheyAre();
};

void TestSessionParts::aPlaceIsAskedForWhereThereIsNone()
{
    HostBudget budget({ 1, 0 });
    std::string asked;
    const PlaceSource source = [&](const SessionInfo& waiting,
                                   const SessionAsker& asker) -> Result<HostBudget::Place> {
        asked += waiting.state.text() + (asker.isRun ? " run;" : ";");
        auto place = budget.tryEnter(ThreadId("t"), 0);
        if (!place)
            return Error{ Errc::LimitExceeded, "full" };
        return std::move(*place);
    };
    SessionPlace place;
    SG_VERIFY_OK(place.take({}, {})); // it needs none
    QVERIFY(!place.isHeld());
    place.hold({}, source);
    SG_VERIFY_OK(place.take({}, { true, {}, {} }));
    QVERIFY(place.isHeld());
    SG_VERIFY_OK(place.take({}, {})); // it has one
    QCOMPARE(asked, std::string("waiting run;"));
    QVERIFY(!budget.tryEnter(ThreadId("other"), 0));
    {
        const HostBudget::Place given = place.give();
        QVERIFY(!place.isHeld());
        const auto refused = place.take({}, {}); // who has it has not given it back yet
        QCOMPARE(refused.error().message, std::string("full"));
    }
    QVERIFY(budget.tryEnter(ThreadId("other"), 0));
}

void TestSessionParts::anEndedSessionWaitsForNoPlace()
{
    SessionPlace place;
    std::stop_source stop;
    place.hold({}, [](const SessionInfo&, const SessionAsker& asker) -> Result<HostBudget::Place> {
        while (!asker.stop.stop_requested())
            std::this_thread::yield();
        return Error{ Errc::Cancelled, "stopped" };
    });
    for (const bool byAsker : { true, false }) {
        std::jthread waiting([&] {
            SessionAsker asker;
            if (byAsker)
                asker.stop = stop.get_token();
            QCOMPARE(place.take({}, asker).error().code, Errc::Cancelled);
        });
        if (byAsker)
            stop.request_stop();
        else
            place.end();
    }
}

void TestSessionParts::onlyWhatCanChangeChanges()
{
    SessionParts parts;
    parts.spec.limits.memoryBytes = 100;
    parts.spec.limits.tmpfsBytes = 50;
    SessionLimitsNow limits(parts);
    sandbox::Limits wanted = parts.spec.limits;
    wanted.memoryBytes = 200;
    wanted.tmpfsBytes = 70;
    limits.set(wanted);
    QCOMPARE(limits.now().memoryBytes, std::int64_t(200));
    QCOMPARE(limits.now().tmpfsBytes, std::int64_t(50));
    QCOMPARE(limits.askedFor(parts.spec).limits.memoryBytes,
             std::int64_t(100)); // a person's wish is no spec's
    limits.ask(wanted);
    limits.setLifetime({ std::chrono::minutes(5), {} });
    QCOMPARE(limits.askedFor(parts.spec).limits.memoryBytes, std::int64_t(200));
    QVERIFY(limits.askedFor(parts.spec).lifetime.idle == std::chrono::minutes(5));
    parts.limitsNow = wanted; // of a session that is taken up again
    QCOMPARE(SessionLimitsNow(parts).now().tmpfsBytes, std::int64_t(70));
}

void TestSessionParts::aFolderIsMeasuredNowAndThen()
{
    SessionParts parts;
    parts.spec.limits.tmpfsBytes = 100;
    SessionLimitsNow limits(parts);
    const auto measured = [&limits] {
        int times = 0;
        for (int i = 0; i < 20; ++i)
            times += limits.isDiskDue() ? 1 : 0;
        return times;
    };
    QCOMPARE(measured(), 2);
    limits.noteDisk({ 50, 100 });
    QCOMPARE(measured(), 2);
    limits.noteDisk({ 51, 100 }); // it is filling
    QCOMPARE(measured(), 20);
    limits.noteDisk({ -1, -1 });
    QCOMPARE(limits.disk().used, std::int64_t(0));
}

void TestSessionParts::rowsSayWhoseTheyAre()
{
    std::string rows;
    SessionParts parts;
    parts.id = SessionId("s1");
    parts.thread = ThreadId("t1");
    parts.audit = [&rows](const audit::AuditEntry& entry, AuditWhen when) -> Result<void> {
        rows += entry.kind.text() + " " + entry.session.value + " " + entry.thread.value + " " + entry.agent
            + " " + entry.outcome.text() + (when == AuditWhen::Soon ? " soon;" : ";");
        return Error{ Errc::Io, "disk full" };
    };
    const SessionAudit audit(parts);
    artifacts::ArtifactOrigin origin;
    origin.node = NodeId("n");
    const SessionAudit::Cell cell = audit.cellStarts({ { "op", "cell" }, { "code", "x = 1" } }, origin);
    QCOMPARE(cell.bytes, std::size_t(5));
    CellResult result;
    result.status = CellStatus::TimedOut;
    audit.cellEnded(cell, origin, result);
    audit.dataset(Value::map({ { "op", "list" } }), origin, Value()); // looking is not told
    audit.dataset(Value::map({ { "op", "select" } }), origin, Value());
    audit.terminal(audit::Outcome::Opened);
    QVERIFY(!audit.egress({}, origin)); // what nobody can tell later must not happen
    QCOMPARE(rows,
             std::string("cell s1 t1 n started soon;cell s1 t1 n timed out soon;dataset s1 t1 n ok;"
                         "terminal s1 t1  opened;egress s1 t1 n denied;"));
    parts.audit = {};
    QVERIFY(audit.egress({}, origin));
    QVERIFY(audit.cellStarts({ { "op", "cell" }, { "code", "x = 1" } }, origin).hash.empty());
}

SG_TEST(TestSessionParts)
#include "tst_session_parts.moc"
