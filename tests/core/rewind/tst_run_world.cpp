#include "core/artifacts/blob_store.h"
#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "core/rewind/run_world.h"
#include "core/rewind/snapshot_storage.h"
#include "core/rewind/snapshots.h"
#include "core/sessions/records/session_records.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <utility>

using namespace sg;
using namespace sg::test;
using checkpoint::CheckpointRef;
using rewind::RunWorld;
using rewind::SandboxChoice;
using sessions::CallSite;
using sessions::Stand;

// Which snapshot goes with which checkpoint, and where sessions must stand. Snapshots are names here.
class TestRunWorld final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void aCheckpointHasWhatItsSuperstepLeft();
    void whatWasFreshIsBoundToItsFirstSnapshot();
    void sessionsAreBoundEachForItself();
    void aSessionThatIsNotUsedComesAlong();
    void aNewRunHasSessionsOfItsOwn();
    void aRetryBeginsWhereItsAttemptBegan();
    void finishedTasksAreKeptForAResume();
    void anUnfinishedCallBetweenIsSaid();
    void nestedCallsAreDoneWithTheirCheckpointOrTheirTask();
    void choices_data();
    void choices();
    void aRemovedSnapshotIsNoFreshStart();
    void theCapSparesWhereSessionsStand();
    void whatSleptInASessionThatEndedIsNotLive();
    void aThreadWithoutSnapshotsIsLeftAlone();
    void namesAreAddedOnceTheyAreWrittenOut();

private:
    // The steps of a run, in order: the snapshots it left are stored under these names.
    struct Run {
        Run(TestRunWorld& test, SandboxChoice choice = SandboxChoice::Restore, bool isAddressed = false)
            : world(*test.m_store->snapshotLog(), choice, isAddressed)
        {
        }
        std::string stand(const CallSite& caller)
        {
            const Stand stand = world.stand(caller);
            switch (stand.kind) {
            case Stand::Kind::AsIs: return stand.lacks.empty() ? "as it is" : "as it is lacks";
            case Stand::Kind::Fresh: return "fresh";
            case Stand::Kind::Snapshot: break;
            }
            return stand.snapshot->id.value + (stand.lacks.empty() ? "" : " lacks");
        }
        void moved(const CallSite& caller, const std::string& id, bool stays = false)
        {
            world.moved(caller, snapshot(id), stays);
        }
        static std::shared_ptr<const sessions::Snapshot> snapshot(const std::string& id)
        {
            sessions::Snapshot made;
            made.id = SnapshotId(id);
            made.live = true;
            made.createdAt = "2026-11-21T08:00:00+00:00";
            return std::make_shared<const sessions::Snapshot>(std::move(made));
        }
        static void store(const engine::Companion::Save& save)
        {
            if (save)
                SG_VERIFY_OK(save());
        }
        void checkpoint(const std::string& id, const std::string& ns = {})
        {
            store(world.checkpointDue(ref(id, ns)));
        }
        void done(const std::string& task) { store(world.taskDone(TaskId(task))); }
        RunWorld world;
    };
    static CheckpointRef ref(const std::string& id, const std::string& ns = {})
    {
        return { ThreadId("t"), ns, CheckpointId(id) };
    }
    static CallSite task(const std::string& id, const std::string& part = {}, int attempt = 1)
    {
        return { TaskId(id), attempt, "node:" + id, sessions::SessionPart::parse(part) };
    }
    // ":s1 node a:s2", "-" for a session that was fresh.
    [[nodiscard]] std::string boundTo(const std::string& id, bool partial = false)
    {
        const auto bindings = m_store->snapshotLog()->bindingsAt(ref(id), partial);
        std::string text;
        if (bindings)
            for (const checkpoint::SnapshotBinding& each : *bindings)
                text += (text.empty() ? "" : " ") + each.part + ":"
                    + (each.snapshot.empty() ? "-" : each.snapshot.value);
        return text;
    }
    // Makes one superstep after another, each with one call of the thread's own session: c0 (fresh), c1, c2.
    void threeCheckpoints()
    {
        Run run(*this);
        SG_VERIFY_OK(run.world.begins(std::nullopt, false));
        run.checkpoint("c0");
        run.moved(task("1"), "s1");
        run.checkpoint("c1");
        run.moved(task("2"), "s2");
        run.checkpoint("c2");
    }

    std::unique_ptr<TempDir> m_folder;
    std::unique_ptr<checkpoint::CheckpointStore> m_store;
};

void TestRunWorld::init()
{
    m_store.reset();
    m_folder = std::make_unique<TempDir>();
    auto opened = checkpoint::openSqliteCheckpointStore(*m_folder / "checkpoints.sqlite");
    SG_VERIFY_OK(opened);
    m_store = std::move(*opened);
}

void TestRunWorld::aCheckpointHasWhatItsSuperstepLeft()
{
    threeCheckpoints();
    QCOMPARE(boundTo("c0"), std::string(":-"));
    QCOMPARE(boundTo("c1"), std::string(":s1"));
    QCOMPARE(boundTo("c2"), std::string(":s2"));
    Run back(*this, SandboxChoice::Restore, true);
    SG_VERIFY_OK(back.world.begins(ref("c1"), false));
    QCOMPARE(back.stand(task("3")), std::string("s1"));
    back.checkpoint("c3"); // before any call
    QCOMPARE(boundTo("c3"), std::string(":s1"));
}

void TestRunWorld::whatWasFreshIsBoundToItsFirstSnapshot()
{
    Run run(*this);
    SG_VERIFY_OK(run.world.begins(std::nullopt, false));
    run.checkpoint("c0");
    QCOMPARE(run.stand(task("1")), std::string("fresh"));
    run.world.began(task("1"), Run::snapshot("s0"));
    run.moved(task("1"), "s1");
    run.checkpoint("c1");
    QCOMPARE(boundTo("c0"), std::string(":s0"));
    QCOMPARE(boundTo("c1"), std::string(":s1"));
}

void TestRunWorld::sessionsAreBoundEachForItself()
{
    Run run(*this);
    SG_VERIFY_OK(run.world.begins(std::nullopt, false));
    run.checkpoint("c0");
    run.moved(task("1", "node a"), "a1");
    run.moved(task("2", "node b"), "b1");
    run.checkpoint("c1");
    run.moved(task("3", "node a"), "a2");
    run.checkpoint("c2");
    QCOMPARE(boundTo("c1"), std::string(":- node a:a1 node b:b1"));
    QCOMPARE(boundTo("c2"), std::string(":- node a:a2 node b:b1"));
    Run back(*this, SandboxChoice::Restore, true);
    SG_VERIFY_OK(back.world.begins(ref("c1"), false));
    QCOMPARE(back.stand(task("4", "node a")), std::string("a1"));
    QCOMPARE(back.stand(task("5", "node b")), std::string("b1"));
    QCOMPARE(back.stand(task("6", "node new")), std::string("fresh"));
}

void TestRunWorld::aSessionThatIsNotUsedComesAlong()
{
    sessionsAreBoundEachForItself();
    Run run(*this);
    SG_VERIFY_OK(run.world.begins(ref("c2"), false));
    run.moved(task("4", "node a"), "a3");
    run.checkpoint("c3");
    QCOMPARE(boundTo("c3"), std::string(":- node a:a3 node b:b1"));
}

void TestRunWorld::aNewRunHasSessionsOfItsOwn()
{
    Run first(*this);
    SG_VERIFY_OK(first.world.begins(std::nullopt, false));
    first.checkpoint("c0");
    first.moved(task("1", "run"), "r1");
    first.moved(task("2", "run node a"), "r2");
    first.checkpoint("c1");
    Run next(*this);
    SG_VERIFY_OK(next.world.begins(ref("c1"), false));
    QCOMPARE(next.stand(task("3", "run")), std::string("fresh"));
    QCOMPARE(next.stand(task("4", "run node a")), std::string("fresh"));
    Run resumed(*this);
    SG_VERIFY_OK(resumed.world.begins(ref("c1"), true));
    QCOMPARE(resumed.stand(task("3", "run")), std::string("r1"));
    Run replayed(*this, SandboxChoice::Restore, true);
    SG_VERIFY_OK(replayed.world.begins(ref("c1"), false));
    QCOMPARE(replayed.stand(task("3", "run node a")), std::string("r2"));
}

void TestRunWorld::aRetryBeginsWhereItsAttemptBegan()
{
    threeCheckpoints();
    Run run(*this);
    SG_VERIFY_OK(run.world.begins(ref("c2"), false));
    run.moved(task("3"), "s3"); // the call went well, its task did not
    QCOMPARE(run.stand(task("3", "", 2)), std::string("s2"));
    run.moved(task("3", "", 2), "s4");
    QCOMPARE(run.stand(task("4")), std::string("s4"));
    run.checkpoint("c3");
    QCOMPARE(boundTo("c3"), std::string(":s4"));
}

void TestRunWorld::finishedTasksAreKeptForAResume()
{
    threeCheckpoints();
    Run run(*this);
    SG_VERIFY_OK(run.world.begins(ref("c2"), false));
    run.moved(task("3"), "s3");
    run.done("3");
    run.moved(task("4"), "s4"); // of a task that never ends well
    Run::store(run.world.superstepLeft());
    QCOMPARE(boundTo("c2"), std::string(":s2"));
    QCOMPARE(boundTo("c2", true), std::string(":s3"));
    Run resumed(*this);
    SG_VERIFY_OK(resumed.world.begins(ref("c2"), true));
    QCOMPARE(resumed.stand(task("4")), std::string("s3"));
    Run replayed(*this, SandboxChoice::Restore, true);
    SG_VERIFY_OK(replayed.world.begins(ref("c2"), false));
    QCOMPARE(replayed.stand(task("3")), std::string("s2"));
    resumed.moved(task("4"), "s5");
    resumed.checkpoint("c3");
    QCOMPARE(boundTo("c2", true), std::string());
    QCOMPARE(boundTo("c3"), std::string(":s5"));
}

void TestRunWorld::anUnfinishedCallBetweenIsSaid()
{
    threeCheckpoints();
    Run run(*this);
    SG_VERIFY_OK(run.world.begins(ref("c2"), false));
    run.moved(task("3"), "s3");
    run.moved(task("4"), "s4");
    run.done("4");
    QCOMPARE(boundTo("c2", true), std::string(":none"));
    Run resumed(*this);
    SG_VERIFY_OK(resumed.world.begins(ref("c2"), true));
    QCOMPARE(resumed.stand(task("3")), std::string("s2 lacks"));
    run.done("3"); // now nothing is between
    QCOMPARE(boundTo("c2", true), std::string(":s4"));
}

void TestRunWorld::nestedCallsAreDoneWithTheirCheckpointOrTheirTask()
{
    threeCheckpoints();
    const auto nested = [](const std::string& id) {
        return CallSite{ TaskId(id), 1, "graph:3|node:" + id, {} };
    };
    Run run(*this);
    SG_VERIFY_OK(run.world.begins(ref("c2"), false));
    run.moved(nested("n1"), "s3");
    run.checkpoint("n", "graph:3");
    QCOMPARE(boundTo("c2", true), std::string(":s3"));
    run.moved(nested("n2"), "s4"); // crashes now: n2 runs again, n1 does not
    run.moved(task("5"), "s5");
    run.done("5");
    QCOMPARE(boundTo("c2", true), std::string(":none"));
    run.done("3"); // the graph around n1 and n2
    QCOMPARE(boundTo("c2", true), std::string(":s5"));
}

void TestRunWorld::choices_data()
{
    QTest::addColumn<SandboxChoice>("choice");
    QTest::addColumn<std::string>("stand");
    QTest::newRow("restore") << SandboxChoice::Restore << std::string("s1");
    QTest::newRow("exact") << SandboxChoice::Exact << std::string("s1");
    QTest::newRow("stored") << SandboxChoice::Stored << std::string("s1");
    QTest::newRow("fresh") << SandboxChoice::Fresh << std::string("fresh");
    QTest::newRow("keep") << SandboxChoice::Keep << std::string("as it is");
}

void TestRunWorld::choices()
{
    QFETCH(const SandboxChoice, choice);
    QFETCH(const std::string, stand);
    threeCheckpoints();
    Run run(*this, choice, true);
    SG_VERIFY_OK(run.world.begins(ref("c1"), false));
    QCOMPARE(run.stand(task("3")), stand);
    SG_VERIFY_OK(m_store->snapshotLog()->remove(SnapshotId("s1")));
    Run gone(*this, choice, true);
    const auto begun = gone.world.begins(ref("c1"), false);
    QCOMPARE(static_cast<bool>(begun), choice == SandboxChoice::Fresh || choice == SandboxChoice::Keep);
    if (choice == SandboxChoice::Exact)
        SG_VERIFY_CONTAINS(begun.error().message, "was removed: it cannot be brought back exactly");
    else if (!begun)
        SG_VERIFY_CONTAINS(begun.error().message, "was removed. Go on with an empty sandbox (fresh)");
}

// A living session may be just what it was, and is never emptied for that.
void TestRunWorld::aRemovedSnapshotIsNoFreshStart()
{
    threeCheckpoints();
    SG_VERIFY_OK(m_store->snapshotLog()->remove(SnapshotId("s2")));
    Run run(*this);
    SG_VERIFY_OK(run.world.begins(ref("c2"), false));
    QCOMPARE(run.stand(task("3")), std::string("as it is lacks"));
}

void TestRunWorld::theCapSparesWhereSessionsStand()
{
    const auto blobs = artifacts::BlobStore::open(*m_folder / "contents");
    SG_VERIFY_OK(blobs);
    Run run(*this);
    SG_VERIFY_OK(run.world.begins(std::nullopt, false));
    const auto moved = [&](const CallSite& caller, const std::string& id) {
        auto writer = blobs->begin();
        SG_VERIFY_OK(writer);
        SG_VERIFY_OK((*writer)->write("files of " + id));
        auto made = std::make_shared<sessions::Snapshot>(*Run::snapshot(id));
        made->files = std::make_shared<const sessions::FileMap>(sessions::FileMap{
            { "empty", {} },
            { "f", { sessions::FileEntry::Type::File, 0600, 10, 0, *(*writer)->finish(), {} } } });
        made->names = Value::map(
            { { "records", Value::list({ Value::map({ { "kind", "name" }, { "name", "x" } }) }) } });
        run.world.moved(caller, made, false);
    };
    moved(task("1", "node a"), "a1");
    moved(task("2"), "s1");
    run.checkpoint("c1");
    moved(task("3"), "s2");
    run.checkpoint("c2");
    moved(task("4"), "s3");
    run.checkpoint("c3");
    for (const char* id : { "c1", "c2", "c3" }) {
        checkpoint::CheckpointRecord record;
        record.ref = ref(id);
        record.checkpoint.id = record.ref.id;
        SG_VERIFY_OK(m_store->putRecord(record));
    }
    rewind::Snapshots snapshots(*m_store->snapshotLog(), *m_folder / "contents");
    const auto held = snapshots.collect(1, [](const ThreadId& thread) { return thread.value == "t"; });
    SG_VERIFY_OK(held);
    QCOMPARE(held->snapshots, std::int64_t(0)); // a run is under way
    const auto done = snapshots.collect(1, [](const ThreadId&) { return false; });
    SG_VERIFY_OK(done);
    QCOMPARE(done->snapshots, std::int64_t(2));
    const auto isThere = [&](const char* id) {
        const auto found = rewind::loadSnapshot(*m_store->snapshotLog(), SnapshotId(id));
        return found && found->has_value();
    };
    QVERIFY(isThere("a1") && isThere("s3")); // the other session's newest is older, and stays as well
    QVERIFY(!isThere("s1") && !isThere("s2"));
}

void TestRunWorld::whatSleptInASessionThatEndedIsNotLive()
{
    threeCheckpoints();
    const auto kindOf = [&](bool isKnown) {
        rewind::Snapshots snapshots(*m_store->snapshotLog(), *m_folder / "contents");
        if (isKnown)
            snapshots.lookUpSessions(*m_folder / "sessions.sqlite");
        const auto mark = snapshots.mark(ref("c1"));
        return std::string(mark ? rewind::markName(mark->kind) : "?");
    };
    QCOMPARE(kindOf(true), std::string("live")); // nothing is recorded
    auto records = sessions::SessionRecords::open(*m_folder / "sessions.sqlite");
    SG_VERIFY_OK(records);
    sessions::SessionRecord record;
    record.info.id = SessionId("s-a");
    record.info.thread = ThreadId("t");
    record.info.backend = "docker";
    record.startedAt = WallTime(); // before the snapshot
    SG_VERIFY_OK((*records)->started(record));
    QCOMPARE(kindOf(true), std::string("live"));
    // Its sandbox died, and it goes on in another one.
    SG_VERIFY_OK((*records)->note(SessionId("s-a"), { WallTime(), "ended", "before that" }));
    QCOMPARE(kindOf(true), std::string("live"));
    SG_VERIFY_OK(
        (*records)->note(SessionId("s-a"), { WallTime(std::chrono::hours(24 * 365 * 100)), "ended", "" }));
    QCOMPARE(kindOf(true), std::string("none"));
    sessions::SessionRecord other = record;
    other.info.id = SessionId("s-b");
    other.startedAt = WallTime(Millis(1)); // newer, and before the snapshot all the same
    SG_VERIFY_OK((*records)->started(other));
    QCOMPARE(kindOf(true), std::string("live"));
    SG_VERIFY_OK((*records)->setState(SessionId("s-b"), sessions::SessionState::ended("it was idle")));
    QCOMPARE(kindOf(true), std::string("none"));
    QCOMPARE(kindOf(false), std::string("live"));
}

void TestRunWorld::aThreadWithoutSnapshotsIsLeftAlone()
{
    Run run(*this);
    SG_VERIFY_OK(run.world.begins(ref("of another program"), false));
    QCOMPARE(run.stand(task("1")), std::string("as it is"));
    run.checkpoint("c1");
    QCOMPARE(boundTo("c1"), std::string());
    Run addressed(*this, SandboxChoice::Restore, true);
    SG_VERIFY_OK(addressed.world.begins(ref("of another program"), false));
    QCOMPARE(addressed.stand(task("1")), std::string("fresh"));
}

void TestRunWorld::namesAreAddedOnceTheyAreWrittenOut()
{
    threeCheckpoints();
    checkpoint::SnapshotLog& log = *m_store->snapshotLog();
    const auto kept = rewind::keepStoredNames(log, SnapshotId("s1"), Value::map({ { "python", "3.11" } }));
    SG_VERIFY_OK(kept);
    QVERIFY(*kept);
    const auto unknown = rewind::keepStoredNames(log, SnapshotId("never stored"), Value::map());
    SG_VERIFY_OK(unknown);
    QVERIFY(!*unknown);
    const auto loaded = rewind::loadSnapshot(log, SnapshotId("s1"));
    SG_VERIFY_OK(loaded);
    QVERIFY(loaded->has_value());
    QCOMPARE((*loaded)->names["python"], Value("3.11"));
    QVERIFY((*loaded)->live);
    const auto gone = rewind::keepStoredNames(log, SnapshotId("s1"), Value());
    SG_VERIFY_OK(gone);
    QVERIFY((*rewind::loadSnapshot(log, SnapshotId("s1")))->live); // its names are kept
    SG_VERIFY_OK(rewind::keepStoredNames(log, SnapshotId("s2"), Value()));
    const auto without = rewind::loadSnapshot(log, SnapshotId("s2"));
    SG_VERIFY_OK(without);
    QVERIFY(without->has_value());
    QVERIFY(!(*without)->live);
    SG_VERIFY_CONTAINS(describe((*without)->obstacles), "room for newer snapshots");
    const auto none = rewind::loadSnapshot(log, SnapshotId("never stored"));
    SG_VERIFY_OK(none);
    QVERIFY(!none->has_value());
}

SG_CORE_TEST(TestRunWorld)
#include "tst_run_world.moc"
