#include "core/base/file.h"
#include "core/sandbox/owner_process.h"
#include "core/sessions/records/session_records.h"
#include "core/sqlite/db.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <sys/wait.h>
#include <unistd.h>

using namespace sg;
using namespace sg::sessions;
using std::chrono::milliseconds;

namespace {

SessionRecord recordNamed(const std::string& id, const std::string& backend = "docker")
{
    SessionRecord record;
    record.info.id = SessionId(id);
    record.info.thread = ThreadId("alice");
    record.info.backend = backend;
    record.info.sandboxName = "sandbox of " + id;
    record.info.storage = "TMPFS";
    record.info.datasets = "NONE";
    record.image = "sandglass/python";
    record.owner = sandbox::ownerMark(sandbox::ownProcess());
    record.startedAt = WallTime(milliseconds(1'000'000'000'000));
    record.lastUsed = record.startedAt;
    return record;
}

std::string markOfADeadProcess()
{
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    sandbox::OwnerProcess owner = sandbox::ownProcess();
    owner.pid = child;
    owner.startTicks = 1; // whoever gets the number next started later
    ::waitpid(child, nullptr, 0);
    return sandbox::ownerMark(owner);
}

struct World {
    World()
    {
        auto opened = SessionRecords::open(folder / "sessions.sqlite");
        if (!opened)
            qFatal("%s", opened.error().message.c_str());
        records = std::move(*opened);
    }
    SessionRecord found(const char* id)
    {
        const auto record = records->find(SessionId(id));
        return record && *record ? **record : SessionRecord();
    }
    test::TempDir folder;
    std::unique_ptr<SessionRecords> records;
};

} // namespace

class TestSessionRecords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Anybody may have changed the file: a time beyond the clock's range becomes the last that it holds.
    void timesBeyondTheClockAreNoOtherTimes()
    {
        const World world;
        SG_VERIFY_OK(world.records->started(recordNamed("s-1")));
        auto db = sqlite::Db::open(world.folder / "sessions.sqlite");
        SG_VERIFY_OK(db);
        SG_VERIFY_OK(
            db->exec("UPDATE sessions SET started_ms = 9223372036854775807, used_ms = -9223372036854775808,"
                     " idle_ms = 9223372036854775807, age_ms = 9223372036854775807"));
        const auto record = world.records->find(SessionId("s-1"));
        SG_VERIFY_OK(record);
        QVERIFY(*record && (*record)->startedAt > std::chrono::system_clock::now());
        QVERIFY((*record)->lastUsed < WallTime());
        QVERIFY((*record)->expiry() && (*record)->expiry()->at > (*record)->lastUsed);
    }

    void keepsWhatIsKnown()
    {
        World world;
        SessionRecord record = recordNamed("s-a");
        record.info.part = sessions::SessionPart::parse("node x");
        record.info.limits.cpus = 0.5;
        record.keep = true;
        record.lifetime = { milliseconds(1000), milliseconds(5000) };
        SG_VERIFY_OK(world.records->started(record));
        SG_VERIFY_OK(world.records->used(SessionId("s-a"), record.startedAt + milliseconds(70), 3));
        const SessionRecord found = world.found("s-a");
        QCOMPARE(found.info.part.text(), std::string("node x"));
        QCOMPARE(found.info.limits.cpus, 0.5);
        QVERIFY(found.keep && found.lifetime == record.lifetime && found.cells == 3);
        QVERIFY(found.lastUsed == record.startedAt + milliseconds(70) && found.owner == record.owner);
        QCOMPARE(found.info.state.text(), std::string("live"));
        QVERIFY(!*world.records->find(SessionId("s-b")));
    }

    void onlyOneClaimsIt()
    {
        World world;
        SG_VERIFY_OK(world.records->started(recordNamed("s-a")));
        SG_VERIFY_OK(world.records->setState(SessionId("s-a"), SessionState::Kind::Released));
        QVERIFY(*world.records->claim(SessionId("s-a"), "", "first"));
        QVERIFY(!*world.records->claim(SessionId("s-a"), "", "second"));
        QCOMPARE(world.found("s-a").owner, std::string("first"));
    }

    void howItStandsIsKept()
    {
        World world;
        SG_VERIFY_OK(world.records->started(recordNamed("s-a")));
        QVERIFY(!world.records->mark(SessionId("s-a"))->has_value());
        QVERIFY(!world.records->mark(SessionId("s-b"))->has_value());
        const sessions::StandMark byHand{ "runner", {}, false, true, true };
        SG_VERIFY_OK(world.records->setMark(SessionId("s-a"), byHand));
        QVERIFY(*world.records->mark(SessionId("s-a")) == byHand);
        const sessions::StandMark left{ "runner", SnapshotId("sn-1"), true, false, false };
        SG_VERIFY_OK(world.records->setMark(SessionId("s-a"), left));
        SG_VERIFY_OK(world.records->started(recordNamed("s-a"))); // it is taken up
        QVERIFY(*world.records->mark(SessionId("s-a")) == left);
    }

    void whatTookItsPlaceIsRecordedWhole()
    {
        World world;
        SG_VERIFY_OK(world.records->started(recordNamed("s-a")));
        QVERIFY(!world.found("s-a").askedLimits && !world.found("s-a").datasetFolder);
        SessionRecord other = recordNamed("s-a");
        other.info.limits.tmpfsBytes = 5;
        other.info.limits.openFiles = 6;
        other.info.isolation = "gVisor";
        other.info.limitsEnforced = true;
        other.askedLimits = other.info.limits;
        other.askedLimits->memoryBytes = 7;
        other.datasetFolder = "/data/mine";
        SG_VERIFY_OK(world.records->started(other));
        const SessionRecord found = world.found("s-a");
        QCOMPARE(found.info.limits.tmpfsBytes, std::int64_t(5));
        QCOMPARE(found.info.limits.openFiles, std::int64_t(6));
        QCOMPARE(found.info.isolation, std::string("gVisor"));
        QVERIFY(found.info.limitsEnforced);
        QCOMPARE(found.askedLimits.value_or(sandbox::Limits()).memoryBytes, std::int64_t(7));
        QCOMPARE(found.datasetFolder.value_or(""), std::string("/data/mine"));
    }

    void whatWasTakenUpAgainGoesOnAndWhatEndedBeginsAnew()
    {
        World world;
        SG_VERIFY_OK(world.records->started(recordNamed("s-a")));
        SG_VERIFY_OK(world.records->used(SessionId("s-a"), {}, 2));
        SG_VERIFY_OK(world.records->setState(SessionId("s-a"), SessionState::Kind::Released));
        QCOMPARE(world.found("s-a").owner, std::string());
        SessionRecord later = recordNamed("s-a");
        later.startedAt += milliseconds(5000);
        SG_VERIFY_OK(world.records->started(later));
        QVERIFY(world.found("s-a").startedAt == recordNamed("s-a").startedAt
                && world.found("s-a").cells == 2);
        QVERIFY(!world.found("s-a").endedAt);
        SG_VERIFY_OK(world.records->setState(SessionId("s-a"), SessionState::ended("it was idle for 1 s")));
        QVERIFY(world.found("s-a").hasEnded());
        QVERIFY(world.found("s-a").endedAt > world.found("s-a").lastUsed);
        SG_VERIFY_OK(world.records->started(later));
        QVERIFY(world.found("s-a").startedAt == later.startedAt);
        QCOMPARE(world.found("s-a").info.state.text(), std::string("live"));
    }

    void knowsWhenALifetimeIsOver_data()
    {
        QTest::addColumn<int>("idle");
        QTest::addColumn<int>("age");
        QTest::addColumn<int>("used"); // ms after the start
        QTest::addColumn<int>("extended"); // the same; 0: not
        QTest::addColumn<int>("ends"); // the same; -1: never
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("no end") << 0 << 0 << 5 << 0 << -1 << QByteArray();
        QTest::newRow("idle") << 1000 << 0 << 500 << 0 << 1500 << QByteArray("idle for 1 s");
        QTest::newRow("age") << 0 << 3000 << 500 << 0 << 3000 << QByteArray("age limit of 3 s");
        QTest::newRow("the sooner") << 1000 << 3000 << 2900 << 0 << 3000 << QByteArray("age limit");
        QTest::newRow("extended") << 1000 << 0 << 0 << 9000 << 9000 << QByteArray("extended");
        QTest::newRow("extended too little")
            << 10000 << 0 << 0 << 9000 << 10000 << QByteArray("idle for 10 s");
        QTest::newRow("extended without end") << 0 << 0 << 0 << 9000 << -1 << QByteArray();
    }
    void knowsWhenALifetimeIsOver()
    {
        QFETCH(int, idle);
        QFETCH(int, age);
        QFETCH(int, used);
        QFETCH(int, extended);
        QFETCH(int, ends);
        QFETCH(QByteArray, why);
        SessionRecord record = recordNamed("s-a");
        record.lifetime = { milliseconds(idle), milliseconds(age) };
        record.lastUsed = record.startedAt + milliseconds(used);
        if (extended > 0)
            record.extendedUntil = record.startedAt + milliseconds(extended);
        const auto expiry = record.expiry();
        QCOMPARE(expiry.has_value(), ends >= 0);
        if (expiry) {
            QVERIFY(expiry->at == record.startedAt + milliseconds(ends));
            SG_VERIFY_CONTAINS(expiry->why, why.toStdString());
        }
    }

    void saysWhatBecameOfSessionsWhoseProgramIsGone()
    {
        World world;
        SessionRecord dead = recordNamed("s-dead", "bubblewrap");
        dead.owner = markOfADeadProcess();
        SG_VERIFY_OK(world.records->started(dead));
        SG_VERIFY_OK(world.records->started(recordNamed("s-ours", "bubblewrap")));
        SessionRecord container = recordNamed("s-docker");
        container.owner = dead.owner;
        SG_VERIFY_OK(world.records->started(container));
        const auto closed = world.records->closeAbandoned();
        SG_VERIFY_OK(closed);
        QCOMPARE(*closed, 1);
        SG_VERIFY_CONTAINS(world.found("s-dead").info.state.text(),
                           std::string("a bubblewrap session ends with the program"));
        QCOMPARE(world.found("s-ours").info.state.text(), std::string("live"));
        QCOMPARE(world.found("s-docker").info.state.text(), std::string("live")); // its container may live
        QCOMPARE(world.records->notes(SessionId("s-dead"), 10)->size(), std::size_t(1));
        QCOMPARE(world.records->list(false)->size(), std::size_t(2));
        QCOMPARE(world.records->list(true)->size(), std::size_t(3));
    }

    void keepsSamplesOfADay()
    {
        World world;
        std::vector<StoredSample> samples;
        for (int i = 0; i < 100; ++i) {
            sandbox::ResourceSample sample;
            sample.time = WallTime(milliseconds(1000LL * i));
            sample.memoryBytes = i;
            sample.throttled = milliseconds(7);
            sample.diskBytes = 9;
            samples.push_back({ SessionId("s-a"), sample });
        }
        SG_VERIFY_OK(world.records->addSamples(samples));
        const auto all = world.records->samples(SessionId("s-a"), 1000);
        SG_VERIFY_OK(all);
        QCOMPARE(all->size(), std::size_t(100));
        QVERIFY(all->back().throttled == milliseconds(7) && all->back().diskBytes == 9);
        const auto some = world.records->samples(SessionId("s-a"), 10);
        QCOMPARE(some->size(), std::size_t(10));
        QCOMPARE(some->back().memoryBytes, std::int64_t(99));
        samples.resize(1);
        samples.front().sample.time = WallTime(milliseconds(86'400'000 + 50'000));
        SG_VERIFY_OK(world.records->addSamples(samples));
        QCOMPARE(world.records->samples(SessionId("s-a"), 1000)->size(), std::size_t(51));
    }

    void forgetsWhatEndedLongAgo()
    {
        World world;
        for (const char* id : { "s-a", "s-b" })
            SG_VERIFY_OK(world.records->started(recordNamed(id)));
        SG_VERIFY_OK(world.records->note(SessionId("s-a"), { {}, "started", {} }));
        SG_VERIFY_OK(world.records->setState(SessionId("s-a"), SessionState::ended("x")));
        const WallTime now = std::chrono::system_clock::now();
        QCOMPARE(*world.records->forgetEnded(now - std::chrono::hours(1)), 0);
        QCOMPARE(*world.records->forgetEnded(now + std::chrono::hours(1)), 1);
        QCOMPARE(world.records->list(true)->size(), std::size_t(1));
        QCOMPARE(world.records->notes(SessionId("s-a"), 10)->size(), std::size_t(0));
    }

    // Nobody noted then what a living sandbox reaches and holds.
    void doesNotKnowWhatAnOlderFileDoesNotSay()
    {
        World world;
        SG_VERIFY_OK(world.records->started(recordNamed("s-a")));
        const auto file = world.folder / "sessions.sqlite";
        world.records.reset();
        {
            auto db = sqlite::Db::open(file);
            SG_VERIFY_OK(db);
            SG_VERIFY_OK(db->exec("ALTER TABLE sessions DROP COLUMN network;"
                                  "ALTER TABLE sessions DROP COLUMN secrets;"
                                  "ALTER TABLE sessions DROP COLUMN asked_memory;"
                                  "ALTER TABLE sessions DROP COLUMN asked_pids;"
                                  "ALTER TABLE sessions DROP COLUMN asked_cpus;"
                                  "ALTER TABLE sessions DROP COLUMN dataset_folder;"
                                  "ALTER TABLE sessions DROP COLUMN modules;"
                                  "ALTER TABLE sessions DROP COLUMN stands;"));
            SG_VERIFY_OK(db->setUserVersion(2));
        }
        auto opened = SessionRecords::open(file);
        SG_VERIFY_OK(opened);
        world.records = std::move(*opened);
        QVERIFY(!world.found("s-a").network && !world.found("s-a").secrets);
        QVERIFY(!world.found("s-a").askedLimits && !world.found("s-a").datasetFolder);
        QVERIFY(!world.found("s-a").modules);
        SessionRecord known = recordNamed("s-a");
        known.network = false;
        known.secrets.emplace();
        SG_VERIFY_OK(world.records->started(known));
        QVERIFY(world.found("s-a").network == false);
        QVERIFY(world.found("s-a").secrets == std::vector<std::string>());
        known.network = true;
        known.secrets = { { "key", "token" } };
        SG_VERIFY_OK(world.records->started(known));
        QVERIFY(world.found("s-a").network == true && world.found("s-a").secrets == known.secrets);
    }

    // A look changes nothing, whichever version wrote it.
    void readsAnOlderFileAsItIs_data()
    {
        QTest::addColumn<int>("version");
        for (const int version : { 1, 2, 3, 4, 5, 6 })
            QTest::addRow("%d", version) << version;
    }
    void readsAnOlderFileAsItIs()
    {
        QFETCH(int, version);
        World world;
        SG_VERIFY_OK(world.records->started(recordNamed("s-a")));
        const auto file = world.folder / "sessions.sqlite";
        world.records.reset();
        {
            auto db = sqlite::Db::open(file);
            SG_VERIFY_OK(db);
            const std::vector<std::pair<int, std::string>> came{
                { 2, "layer" },        { 2, "packages" },   { 3, "network" },    { 3, "secrets" },
                { 4, "asked_memory" }, { 4, "asked_pids" }, { 4, "asked_cpus" }, { 4, "dataset_folder" },
                { 5, "modules" },      { 6, "stands" },
            };
            for (const auto& [since, column] : came)
                if (version < since)
                    SG_VERIFY_OK(db->exec("ALTER TABLE sessions DROP COLUMN " + column));
            SG_VERIFY_OK(db->setUserVersion(version));
            SG_VERIFY_OK(db->exec("PRAGMA wal_checkpoint(TRUNCATE)"));
        }
        const auto before = readFile(file, 1 << 20);
        SG_VERIFY_OK(before);
        {
            auto opened = SessionRecords::openToRead(file);
            SG_VERIFY_OK(opened);
            const auto newest = (*opened)->newestOf(ThreadId("alice"), {});
            SG_VERIFY_OK(newest);
            QVERIFY(newest->has_value());
            QCOMPARE((*newest)->info.id.value, std::string("s-a"));
            QCOMPARE((*newest)->askedLimits.has_value(), version >= 4 && recordNamed("s-a").askedLimits);
            QVERIFY(!(*opened)->setState(SessionId("s-a"), SessionState::ended("x")));
        }
        const auto after = readFile(file, 1 << 20);
        SG_VERIFY_OK(after);
        QVERIFY(*before == *after);
    }
    void aLookMakesNoFile()
    {
        const test::TempDir folder;
        const auto opened = SessionRecords::openToRead(folder / "none.sqlite");
        QVERIFY(!opened && opened.error().code == Errc::NotFound);
        QVERIFY(!std::filesystem::exists(folder / "none.sqlite"));
    }

    void refusesANewerFile()
    {
        World world;
        const auto file = world.folder / "sessions.sqlite";
        world.records.reset();
        {
            auto db = sqlite::Db::open(file);
            SG_VERIFY_OK(db);
            SG_VERIFY_OK(db->setUserVersion(99));
        }
        const auto opened = SessionRecords::open(file);
        QVERIFY(!opened && opened.error().code == Errc::Unsupported);
        const auto looked = SessionRecords::openToRead(file);
        QVERIFY(!looked && looked.error().code == Errc::Unsupported);
    }
};

SG_TEST(TestSessionRecords)
#include "tst_session_records.moc"
