// Threads are carried from a project's file to a PostgreSQL database and back: whole or not at all, with what
// this machine has recorded of them; and what works on threads in the file works on them there.

#include "core/checkpoint/dispatch_log.h"
#include "core/checkpoint/snapshot_log.h"
#include "core/checkpoint/thread_lock.h"
#include "core/history/database.h"
#include "core/upkeep/project_threads.h"
#include "core/upkeep/pruning.h"
#include "core/upkeep/storage.h"
#include "core/upkeep/thread_bundle.h"
#include "core/upkeep/thread_print.h"
#include "tests/support/example_project.h"
#include "tests/support/machine.h"
#include "tests/support/postgres_server.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <memory>

using namespace sg;
using namespace sg::upkeep;
using history::Database;
using test::ExampleProject;

namespace {

const ThreadId kAlice("alice");
const ThreadId kBob("bob");
const Value kInput = Value::map({ { "value", 1 } });

std::string exampleGraph(const std::string& name)
{
    return *readFile(std::filesystem::path(QTEST_SOURCE_EXAMPLES) / name / (name + ".graph.json"));
}

// "alice carried, bob there", or the error.
std::string toldBy(const Result<ProjectThreads>& moved)
{
    if (!moved)
        return "error: " + moved.error().message;
    std::string text;
    for (const MovedThread& each : moved->move.threads)
        text += (text.empty() ? "" : ", ") + each.thread.value + " " + each.fate.text()
            + (each.isRemoved ? " removed" : "");
    return text;
}

// All that checkpoints and writes hold, as one number; empty: there is no such thread.
std::string contentsOf(checkpoint::CheckpointStore& store, const ThreadId& thread)
{
    const auto print = printOf(store, thread, {});
    if (!print)
        return "error: " + print.error().message;
    std::string all;
    for (const auto& [place, row] : print->rows) {
        all += place.first + " " + place.second + " " + row.checkpoint;
        for (const std::string& write : row.writes)
            all += " " + write;
        all += "\n";
    }
    return all;
}

// Runs, attempts, output, snapshots and dispatches of a thread, each on a line.
std::string recordsOf(checkpoint::CheckpointStore& store, const ThreadId& thread)
{
    std::string all;
    const auto runs = store.runLog().runs(thread);
    for (const checkpoint::RunRecord& run : *runs) {
        all += "run " + run.id.value + " " + std::to_string(run.supersteps) + " "
            + store.runLog().graphOf(run.id)->value_or("none") + "\n";
        const auto layers = store.runLog().packagesOf(run.id);
        for (const checkpoint::RunPackages& packages : *layers)
            all += "packages " + packages.layer + "\n";
    }
    const auto tasks = store.runLog().tasksOf(thread);
    for (const checkpoint::TaskRecord& task : *tasks)
        all += "task " + task.checkpoint.id.value + " " + task.task.value + " " + task.node.value + " "
            + std::to_string(task.attempt) + "\n";
    const auto lines = store.runLog().logTail(thread, 1000);
    for (const checkpoint::LogRecord& record : *lines)
        all += "log " + record.run.value + " " + record.bytes + "\n";
    const auto bindings = store.snapshotLog()->bindingsOf(thread);
    for (const checkpoint::SnapshotBinding& binding : *bindings)
        all += "snapshot " + binding.checkpoint.id.value + " " + binding.snapshot.value + "\n";
    const auto dispatches = store.dispatchLog()->all(thread);
    for (const checkpoint::Dispatch& dispatch : *dispatches)
        all += "dispatch " + dispatch.task.value + " " + dispatch.job + "\n";
    return all;
}

} // namespace

class TestThreadMove : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        SG_NEED("postgres");
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString(m_data.path().string()));
        m_server = std::make_unique<test::PostgresServer>();
    }
    void init() { m_address = m_server->address("flows" + std::to_string(++m_number)); }
    void carriesThreadsOverAndBack();
    void carriesWhatWasRecorded();
    void anOlderCopyIsBroughtUp();
    void whatWentOnInBothPlacesIsLeft();
    void aThreadWithARunIsLeft();
    void whatTheOtherLayoutDoesNotHoldIsLeft();
    void prunesThreadsOnTheServer();
    void bundlesGoToTheServerAndComeFromIt();

private:
    Result<ProjectThreads> move(ExampleProject& project, ThreadsWay way, ThreadChoice choice = {})
    {
        return moveProjectThreads(project->project(), m_address, way, choice, {}, {});
    }
    [[nodiscard]] std::unique_ptr<Database> shared() const
    {
        auto database = Database::openShared(m_address, Database::Access::ReadWrite);
        if (!database)
            qFatal("%s", database.error().message.c_str());
        return std::move(*database);
    }
    static std::unique_ptr<Database> own(ExampleProject& project)
    {
        return std::move(*Database::open(project.database(), Database::Access::ReadWrite));
    }
    // Opens the same project as a person does who gives the address with --db.
    [[nodiscard]] std::unique_ptr<workbench::Workbench> there(ExampleProject& project) const
    {
        workbench::WorkbenchOptions options;
        options.project = *projects::locateProject(project.folder() / "g.graph.json");
        if (auto chosen = history::chooseDatabase(options.project, m_address); !chosen)
            qFatal("%s", chosen.error().message.c_str());
        auto opened = workbench::Workbench::open(std::move(options));
        if (!opened)
            qFatal("%s", opened.error().message.c_str());
        return std::move(*opened);
    }
    static engine::RunResult run(workbench::Workbench& project, const ThreadId& thread, Value input)
    {
        runs::RunRequest request;
        request.thread = thread;
        request.input = engine::RunInput::input(std::move(input));
        return project.runs().wait(*project.runs().start(request));
    }

    const test::TempDir m_data;
    std::unique_ptr<test::PostgresServer> m_server;
    std::string m_address;
    int m_number = 0;
};

void TestThreadMove::carriesThreadsOverAndBack()
{
    ExampleProject project(exampleGraph("subgraphs"));
    project.run(kAlice, Value::map());
    project.run(kBob, Value::map());
    project.run(kAlice, Value::map());
    const std::string before = contentsOf(own(project)->store(), kAlice);
    QVERIFY(before.size() > 1000);
    QCOMPARE(toldBy(move(project, ThreadsWay::ToServer)), std::string("alice carried, bob carried"));
    QCOMPARE(contentsOf(shared()->store(), kAlice), before);
    QCOMPARE(contentsOf(own(project)->store(), kAlice), before);
    QCOMPARE(toldBy(move(project, ThreadsWay::ToServer)), std::string("alice there, bob there"));

    ThreadChoice removing;
    removing.removes = true;
    removing.thread = kAlice;
    QCOMPARE(toldBy(move(project, ThreadsWay::ToServer, removing)), std::string("alice there removed"));
    QCOMPARE(contentsOf(own(project)->store(), kAlice), std::string());
    QCOMPARE(recordsOf(own(project)->store(), kAlice), std::string());
    QVERIFY(!contentsOf(own(project)->store(), kBob).empty());
    // It goes on there.
    const engine::RunResult next = run(*there(project), kAlice, Value::map());
    QCOMPARE(next.values["own"], Value(6)); // 2 a run
    const std::string after = contentsOf(shared()->store(), kAlice);

    QCOMPARE(toldBy(move(project, ThreadsWay::ToFile, removing)), std::string("alice carried removed"));
    QCOMPARE(contentsOf(own(project)->store(), kAlice), after);
    QCOMPARE(contentsOf(shared()->store(), kAlice), std::string());
    QCOMPARE(m_server->sql("flows" + std::to_string(m_number),
                           "SELECT count(*) FROM checkpoint_blobs WHERE thread_id = 'alice'"),
             std::string("0"));
    removing.thread = ThreadId("carol");
    QVERIFY(move(project, ThreadsWay::ToFile, removing).error().code == Errc::NotFound);
}

void TestThreadMove::carriesWhatWasRecorded()
{
    ExampleProject project(test::oneNodeGraph("{value: (.value + 1)}"));
    project.run(kAlice, kInput);
    {
        const auto database = own(project);
        checkpoint::CheckpointStore& store = database->store();
        const RunId run = store.runLog().runs(kAlice)->front().id;
        const auto head = store.get(kAlice, "", std::nullopt);
        checkpoint::LogRecord record;
        record.stream = "stdout";
        for (const RunId& each : { run, checkpoint::consoleRun(kAlice), checkpoint::consoleRun(kAlice) }) {
            record.run = each;
            record.bytes = std::string("a\0\xff", 3);
            SG_VERIFY_OK(store.runLog().addLog({ record }));
        }
        SG_VERIFY_OK(store.runLog().addPackages(run, { "layer1", { "networkx==3.3" } }));
        const Value body = Value::map({ { "files", Value::list({ "piece1" }) } });
        SG_VERIFY_OK(store.snapshotLog()->put({ SnapshotId("s1"), kAlice, body }));
        SG_VERIFY_OK(store.snapshotLog()->putPiece("piece1", "files"));
        SG_VERIFY_OK(store.snapshotLog()->bind({ (*head)->ref, false, SnapshotId("s1") }));
        SG_VERIFY_OK(store.dispatchLog()->put({ kAlice, TaskId("t1"), 1, "digest", "role", "job" }));
    }
    const std::string before = recordsOf(own(project)->store(), kAlice);
    for (const char* part : { "run ", "packages layer1", "task ", "log ", "snapshot ", "dispatch t1 job" })
        SG_VERIFY_CONTAINS(before, std::string(part));
    ThreadChoice removing;
    removing.removes = true;
    QCOMPARE(toldBy(move(project, ThreadsWay::ToServer, removing)), std::string("alice carried removed"));
    QCOMPARE(recordsOf(own(project)->store(), kAlice), std::string());
    QCOMPARE(recordsOf(shared()->store(), kAlice), before);
    QCOMPARE(*shared()->store().snapshotLog()->piece("piece1"), std::optional<std::string>("files"));
    for (int i = 0; i < 2; ++i) { // again, it adds nothing
        SG_VERIFY_OK(move(project, ThreadsWay::ToFile));
        QCOMPARE(recordsOf(own(project)->store(), kAlice), before);
    }
}

void TestThreadMove::anOlderCopyIsBroughtUp()
{
    ExampleProject project(test::oneNodeGraph("{value: (.value + 1)}"));
    project.run(kAlice, kInput);
    QCOMPARE(toldBy(move(project, ThreadsWay::ToServer)), std::string("alice carried"));
    const auto elsewhere = there(project);
    run(*elsewhere, kAlice, kInput);
    // The file has a part of what is there: nothing is lost by leaving it.
    QCOMPARE(toldBy(move(project, ThreadsWay::ToServer)), std::string("alice there"));
    QCOMPARE(toldBy(move(project, ThreadsWay::ToFile)), std::string("alice carried"));
    QCOMPARE(contentsOf(own(project)->store(), kAlice), contentsOf(shared()->store(), kAlice));
    QCOMPARE(recordsOf(own(project)->store(), kAlice), recordsOf(shared()->store(), kAlice));
}

void TestThreadMove::whatWentOnInBothPlacesIsLeft()
{
    ExampleProject project(test::oneNodeGraph("{value: (.value + 1)}"));
    project.run(kAlice, kInput);
    project.run(kBob, kInput);
    SG_VERIFY_OK(move(project, ThreadsWay::ToServer));
    run(*there(project), kAlice, kInput);
    project.run(kAlice, kInput);
    const std::string here = contentsOf(own(project)->store(), kAlice);
    const std::string away = contentsOf(shared()->store(), kAlice);
    ThreadChoice removing;
    removing.removes = true;
    const auto moved = move(project, ThreadsWay::ToServer, removing);
    QCOMPARE(toldBy(moved), std::string("alice different, bob there removed"));
    QCOMPARE(moved->move.left(), std::int64_t(1));
    SG_VERIFY_CONTAINS(moved->move.threads[0].error, std::string("bundle export --thread alice"));
    QCOMPARE(contentsOf(own(project)->store(), kAlice), here);
    QCOMPARE(contentsOf(shared()->store(), kAlice), away);
}

void TestThreadMove::aThreadWithARunIsLeft()
{
    ExampleProject project(test::oneNodeGraph("{value: 1}"));
    project.run(kAlice, kInput);
    {
        const auto held = checkpoint::ThreadLock::take(project.database(), kAlice);
        SG_VERIFY_OK(held);
        QCOMPARE(toldBy(move(project, ThreadsWay::ToServer)), std::string("alice busy"));
    }
    {
        const auto elsewhere = shared();
        const auto held = elsewhere->store().hold(kAlice); // as another machine does
        SG_VERIFY_OK(held);
        QCOMPARE(toldBy(move(project, ThreadsWay::ToServer)), std::string("alice busy"));
        QCOMPARE(contentsOf(elsewhere->store(), kAlice), std::string());
    }
    QCOMPARE(toldBy(move(project, ThreadsWay::ToServer)), std::string("alice carried"));
}

// PostgresSaver keeps a list under its channel's version, and has no place for one without.
void TestThreadMove::whatTheOtherLayoutDoesNotHoldIsLeft()
{
    ExampleProject project(test::oneNodeGraph("{value: 1}"));
    project.run(kAlice, kInput);
    project.run(kBob, kInput);
    {
        const auto database = own(project);
        auto head = database->store().get(kAlice, "", std::nullopt);
        (*head)->checkpoint.channelValues.set("loose", Value::list({ 1 }));
        SG_VERIFY_OK(database->store().putRecord(**head));
    }
    ThreadChoice removing;
    removing.removes = true;
    const auto moved = move(project, ThreadsWay::ToServer, removing);
    QCOMPARE(toldBy(moved), std::string("bob carried removed, alice failed"));
    SG_VERIFY_CONTAINS(moved->move.threads[1].error, "channel 'loose'");
    QVERIFY(!contentsOf(own(project)->store(), kAlice).empty());
    QCOMPARE(contentsOf(shared()->store(), kAlice), std::string());
}

void TestThreadMove::prunesThreadsOnTheServer()
{
    ExampleProject project(exampleGraph("subgraphs"));
    for (int i = 0; i < 6; ++i)
        project.run(kAlice, Value::map());
    project.run(kBob, Value::map());
    ThreadChoice removing;
    removing.removes = true;
    SG_VERIFY_OK(move(project, ThreadsWay::ToServer, removing));
    const auto workbench = there(project);
    const std::string bob = contentsOf(shared()->store(), kBob);
    const std::string name = "flows" + std::to_string(m_number);
    const auto count = [&](const std::string& what) {
        return std::stoll(m_server->sql(name, "SELECT count(*) FROM " + what));
    };
    const auto rows = count("checkpoints");
    // Values that no checkpoint has any more: of the thread that is pruned, and of another one.
    m_server->sql(
        name,
        "INSERT INTO checkpoint_blobs SELECT thread, '', 'old', '1', 'msgpack', '\\x90'::bytea FROM "
        "unnest(ARRAY['alice', 'bob']) thread");
    PruneChoice choice;
    choice.thread = kAlice;
    choice.keep = 3;
    const auto told = prune(workbench->parts(), choice, true);
    SG_VERIFY_OK(told);
    QVERIFY(told->nested > told->checkpoints / 2);
    QVERIFY(told->bytesAfter < told->bytesBefore);
    QCOMPARE(count("checkpoints"), rows);
    {
        const auto elsewhere = shared();
        const auto held = elsewhere->store().hold(kAlice);
        SG_VERIFY_OK(held);
        QCOMPARE(prune(workbench->parts(), choice, true)->skipped.size(), std::size_t(1));
    }
    const auto done = prune(workbench->parts(), choice, false);
    SG_VERIFY_OK(done);
    QCOMPARE(done->checkpoints, told->checkpoints);
    QCOMPARE(done->nested, told->nested);
    QCOMPARE(done->bytesAfter, told->bytesAfter);
    QCOMPARE(storageOf(workbench->parts())->databaseBytes, done->bytesAfter);
    QCOMPARE(count("checkpoints"), rows - told->checkpoints - told->nested);
    QCOMPARE(count("checkpoint_blobs WHERE channel = 'old' AND thread_id = 'alice'"), 0LL);
    QCOMPARE(count("checkpoint_blobs WHERE channel = 'old' AND thread_id = 'bob'"), 1LL);
    QCOMPARE(contentsOf(shared()->store(), kBob), bob);
    // The rest of the thread is whole, and goes on.
    QVERIFY(!contentsOf(shared()->store(), kAlice).starts_with("error"));
    QCOMPARE(run(*workbench, kAlice, Value::map()).values["own"], Value(14)); // 2 a run
    choice.keep = 100;
    QCOMPARE(prune(workbench->parts(), choice, true)->checkpoints, std::int64_t(0));
}

void TestThreadMove::bundlesGoToTheServerAndComeFromIt()
{
    ExampleProject project(test::oneNodeGraph("{value: (.value + 1)}"));
    project.run(kAlice, kInput);
    const auto file = project.folder() / "alice.zip";
    SG_VERIFY_OK(exportThread(project->parts(), { kAlice, file, false }));
    const auto workbench = there(project);
    const auto first = importThread(workbench->parts(), file);
    SG_VERIFY_OK(first);
    QCOMPARE(contentsOf(shared()->store(), kAlice), contentsOf(own(project)->store(), kAlice));
    QCOMPARE(recordsOf(shared()->store(), kAlice), recordsOf(own(project)->store(), kAlice));
    const auto again = importThread(workbench->parts(), file);
    QVERIFY(!again);
    QCOMPARE(again.error().code, Errc::Exists);
    const auto other = importThread(workbench->parts(), file, "carol");
    SG_VERIFY_OK(other);
    QCOMPARE(other->checkpoints, first->checkpoints);

    run(*workbench, kAlice, kInput);
    const auto elsewhere = project.folder() / "from-there.zip";
    const auto exported = exportThread(workbench->parts(), { kAlice, elsewhere, false });
    SG_VERIFY_OK(exported);
    QCOMPARE(exported->checkpoints, 2 * first->checkpoints);
    SG_VERIFY_OK(importThread(project->parts(), elsewhere, "dave"));
    const auto database = shared();
    const auto held = database->store().hold(kAlice);
    SG_VERIFY_OK(held);
    QCOMPARE(exportThread(workbench->parts(), { kAlice, elsewhere, false }).error().code, Errc::Conflict);
}

SG_CORE_TEST(TestThreadMove)
#include "tst_thread_move.moc"
