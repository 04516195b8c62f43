// Pruning: what stands under what goes goes with it, what it does is what it said, and nothing is done to a
// database that is only read.

#include "core/sqlite/db.h"
#include "core/upkeep/pruning.h"
#include "core/upkeep/storage.h"
#include "tests/support/example_project.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <set>

using namespace sg;
using namespace sg::projects;
using namespace sg::upkeep;
using namespace sg::workbench;
using test::ExampleProject;

namespace {

const ThreadId kAlice("alice");
const Value kInput = Value::map({ { "value", 1 } });

std::string exampleGraph(const std::string& name)
{
    return *readFile(std::filesystem::path(QTEST_SOURCE_EXAMPLES) / name / (name + ".graph.json"));
}

// Returns the rows of a query with one column, in order.
std::vector<std::string> textsOf(const std::filesystem::path& database, const std::string& sql)
{
    sqlite::DbOptions options;
    options.mode = sqlite::OpenMode::ReadOnly;
    auto db = sqlite::Db::open(database, options);
    auto statement = db->prepare(sql);
    std::vector<std::string> texts;
    while (*statement->step())
        texts.emplace_back(statement->text(0));
    return texts;
}

// Namespaces of each table that has any beside the thread's own.
std::string innerOf(const std::filesystem::path& database)
{
    std::string lines;
    for (const std::string table : { "checkpoints", "writes", "sandglass_tasks" })
        for (const std::string& ns :
             textsOf(database,
                     "SELECT DISTINCT checkpoint_ns FROM " + table + " WHERE checkpoint_ns <> '' ORDER BY 1"))
            lines += table + " " + ns + "\n";
    return lines;
}

PruneChoice keeping(std::int64_t keep)
{
    PruneChoice choice;
    choice.thread = kAlice;
    choice.keep = keep;
    return choice;
}

std::string toldBy(const PruneReport& report)
{
    std::string text = std::to_string(report.checkpoints) + " + " + std::to_string(report.nested) + ", "
        + std::to_string(report.lostParents) + " lost";
    for (const CutBranch& fork : report.forks)
        text += ", " + fork.first.value + " to " + fork.head.value;
    for (const std::string& skipped : report.skipped)
        text += ", skipped " + skipped;
    return text;
}

} // namespace

class TestPruning : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void subgraphsGoWithTheirTasks()
    {
        ExampleProject project(exampleGraph("subgraphs"));
        for (int i = 0; i < 6; ++i)
            project.run(kAlice, Value::map());
        const auto head = project->states().state({ kAlice, "", std::nullopt });
        const std::size_t before = textsOf(project.database(), "SELECT 1 FROM checkpoints").size();
        const auto told = prune(project->parts(), keeping(3), true);
        SG_VERIFY_OK(told);
        QVERIFY2(told->nested > told->checkpoints / 2, toldBy(*told).c_str());
        QCOMPARE(textsOf(project.database(), "SELECT 1 FROM checkpoints").size(), before);
        const auto done = prune(project->parts(), keeping(3), false);
        SG_VERIFY_OK(done);
        QCOMPARE(toldBy(*done), toldBy(*told));
        QCOMPARE(done->bytesAfter, told->bytesAfter);
        QCOMPARE(databaseBytes(project.database()), told->bytesAfter);
        QCOMPARE(textsOf(project.database(), "SELECT 1 FROM checkpoints").size(),
                 before - static_cast<std::size_t>(told->checkpoints + told->nested));

        // Each subgraph that is left ran from a checkpoint that is left, and all that stands of one does.
        const std::vector<std::string> kept =
            textsOf(project.database(), "SELECT checkpoint_id FROM checkpoints WHERE checkpoint_ns = ''");
        QCOMPARE(kept.size(), std::size_t(3));
        const std::vector<std::string> outer = textsOf(
            project.database(),
            "SELECT json_extract(metadata, '$.parents.\"\"') FROM checkpoints WHERE checkpoint_ns LIKE "
            "'%:%'");
        for (const std::string& id : outer)
            QVERIFY2(std::ranges::find(kept, id) != kept.end(), innerOf(project.database()).c_str());
        const std::vector<std::string> tasks =
            textsOf(project.database(), "SELECT task_id FROM sandglass_tasks WHERE checkpoint_ns = ''");
        for (const std::string& ns :
             textsOf(project.database(),
                     "SELECT checkpoint_ns FROM writes WHERE checkpoint_ns LIKE '%:%' UNION SELECT "
                     "checkpoint_ns FROM sandglass_tasks WHERE checkpoint_ns LIKE '%:%'"))
            QVERIFY2(std::ranges::find(tasks, ns.substr(ns.find(':') + 1)) != tasks.end(), ns.c_str());

        // The state that a subgraph keeps from call to call is still there.
        QCOMPARE(project->states().state({ kAlice, "", std::nullopt })->values, head->values);
        const engine::RunResult next = project.run(kAlice, Value::map());
        QCOMPARE(next.values["own"], Value(14)); // 2 a run
        QCOMPARE(next.values["fresh"], Value(2));
        // Nothing more is to be done.
        const auto again = prune(project->parts(), keeping(100), true);
        SG_VERIFY_OK(again);
        QCOMPARE(again->checkpoints + again->nested, std::int64_t(0));
    }

    // As an earlier pruning, which knew the thread's own checkpoints alone, has left them.
    void whatWasLeftBehindGoes()
    {
        ExampleProject project(exampleGraph("subgraphs"));
        for (int i = 0; i < 3; ++i)
            project.run(kAlice, Value::map());
        {
            auto db = sqlite::Db::open(project.database());
            for (const char* table : { "checkpoints", "writes", "sandglass_tasks" })
                SG_VERIFY_OK(
                    db->exec(std::string("DELETE FROM ") + table
                             + " WHERE checkpoint_ns = '' AND checkpoint_id NOT IN (SELECT checkpoint_id "
                               "FROM checkpoints WHERE checkpoint_ns = '' ORDER BY 1 DESC LIMIT 3)"));
        }
        const auto done = prune(project->parts(), keeping(3), false);
        SG_VERIFY_OK(done);
        QCOMPARE(done->checkpoints, std::int64_t(0));
        QVERIFY(done->nested > 0);
        QCOMPARE(prune(project->parts(), keeping(3), true)->nested, std::int64_t(0));
    }

    void namesTheForksThatLoseTheirParent()
    {
        ExampleProject project(test::oneNodeGraph("{value: (.value + 1)}"));
        for (int i = 0; i < 4; ++i)
            project.run(kAlice, kInput);
        const auto rows = project->history().checkpoints(kAlice);
        const CheckpointId trunk = rows->front().id;
        const CheckpointId middle = (*rows)[3].id;
        const auto fork = project->states().fork({ kAlice, "", middle }, { kInput, "work" });
        SG_VERIFY_OK(fork);
        const auto told = prune(project->parts(), keeping(1), true);
        SG_VERIFY_OK(told);
        QCOMPARE(told->lostParents, std::int64_t(2));
        QCOMPARE(told->forks.size(), std::size_t(2));
        const std::set<std::string> heads{ told->forks[0].head.value, told->forks[1].head.value };
        QCOMPARE(heads, (std::set<std::string>{ trunk.value, fork->checkpoint.value }));
        // Where all that the branches have in common stays, none is apart.
        const auto more = prune(project->parts(), keeping(6), true);
        SG_VERIFY_OK(more);
        QVERIFY2(more->forks.empty(), toldBy(*more).c_str());
        QCOMPARE(more->lostParents, std::int64_t(1));
    }

    void doesNothingElseThanWasExpected()
    {
        ExampleProject project(test::oneNodeGraph("{value: 1}"));
        project.run(kAlice, kInput);
        project.run(kAlice, kInput);
        PruneChoice choice = keeping(1);
        const auto told = prune(project->parts(), choice, true);
        SG_VERIFY_OK(told);
        choice.expected = told->checkpoints + told->nested;
        project.run(kAlice, kInput);
        const auto before = project->history().checkpoints(kAlice)->size();
        const auto refused = prune(project->parts(), choice, false);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, Errc::Conflict);
        QCOMPARE(project->history().checkpoints(kAlice)->size(), before);
        choice.expected = *choice.expected + 3;
        SG_VERIFY_OK(prune(project->parts(), choice, false));
    }

    void leavesWhatIsOnlyReadAsItIs_data()
    {
        QTest::addColumn<bool>("dryRun");
        QTest::newRow("dry run") << true;
        QTest::newRow("for good") << false;
    }
    void leavesWhatIsOnlyReadAsItIs()
    {
        QFETCH(bool, dryRun);
        const test::TempDir elsewhere;
        const auto file = elsewhere / "theirs.sqlite";
        {
            ExampleProject project(test::oneNodeGraph("{value: 1}"));
            for (int i = 0; i < 5; ++i)
                project.run(kAlice, kInput);
            auto db = sqlite::Db::open(project.database());
            SG_VERIFY_OK(db->run("VACUUM INTO ?1", file.string()));
        }
        const auto before = readFile(file);
        qputenv("XDG_DATA_HOME", (elsewhere / "data").c_str());
        WorkbenchOptions options;
        options.project = *databaseProject(file);
        options.readOnly = true;
        const auto project = Workbench::open(std::move(options));
        SG_VERIFY_OK(project);
        const auto refused = prune((*project)->parts(), keeping(1), dryRun);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, Errc::Unsupported);
        QVERIFY(*readFile(file) == *before);
        QVERIFY(!std::filesystem::exists(file.string() + "-wal"));
        SG_VERIFY_OK(storageOf((*project)->parts()));
        QVERIFY(*readFile(file) == *before);
    }
};

SG_CORE_TEST(TestPruning)
#include "tst_pruning.moc"
