// A thread as a file takes along what hangs from it: the graphs of its runs, label and bookmarks, what its
// console printed. What looks like a secret in its state keeps it from being written.

#include "core/history/database.h"
#include "core/projects/project_notes.h"
#include "core/sqlite/db.h"
#include "core/upkeep/thread_bundle.h"
#include "tests/support/example_project.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::history;
using namespace sg::projects;
using namespace sg::upkeep;
using namespace sg::workbench;
using test::ExampleProject;

namespace {

const ThreadId kAlice("alice");
const ThreadId kBob("bob");

std::string graphsOf(Workbench& project, const ThreadId& thread)
{
    const auto rows = project.history().checkpoints(thread);
    std::string graphs;
    for (const CheckpointRow& row : *rows)
        graphs += row.id.value + ": " + project.history().graphAt(thread, row.id)->value_or("none") + "\n";
    return graphs;
}

Result<BundleReport> exported(ExampleProject& project, bool allowSecrets = false)
{
    return exportThread(project->parts(), { kAlice, project.folder() / "alice.zip", allowSecrets });
}

ProjectNotes notesOf(ExampleProject& project)
{
    return ProjectNotes(project->project().data / kNotesFile);
}

const Value kInput = Value::map({ { "value", 1 } });

} // namespace

class TestThreadBundle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void takesTheGraphsOfItsRuns()
    {
        ExampleProject here(test::oneNodeGraph("{value: 1}"));
        here.run(kAlice, kInput);
        here.write(test::oneNodeGraph("{value: 2}"));
        here.run(kAlice, kInput);
        here.run(kBob, kInput);
        const std::string graphs = graphsOf(*here, kAlice);
        SG_VERIFY_CONTAINS(graphs, "value: 1");
        SG_VERIFY_CONTAINS(graphs, "value: 2");
        const auto report = exported(here);
        SG_VERIFY_OK(report);
        QVERIFY(report->isWritten);

        ExampleProject there(test::oneNodeGraph("{value: 3}"));
        SG_VERIFY_OK(importThread(there->parts(), here.folder() / "alice.zip"));
        QCOMPARE(graphsOf(*there, kAlice), graphs);
        SG_VERIFY_OK(importThread(there->parts(), here.folder() / "alice.zip", "again"));
        QCOMPARE(graphsOf(*there, ThreadId("again")), graphs);
        there.run(kAlice, kInput);
        SG_VERIFY_CONTAINS(graphsOf(*there, kAlice), "value: 3");
    }

    void takesLabelAndBookmarks()
    {
        ExampleProject here(test::oneNodeGraph("{value: 1}"));
        here.run(kAlice, kInput);
        const CheckpointId head = here->history().checkpoints(kAlice)->front().id;
        ProjectNotes notes = notesOf(here);
        SG_VERIFY_OK(notes.setLabel(kAlice, "first try"));
        SG_VERIFY_OK(notes.setBookmark(kAlice, head, "before the fix"));
        SG_VERIFY_OK(notes.setLabel(kBob, "another's"));
        SG_VERIFY_OK(exported(here));

        ExampleProject there(test::oneNodeGraph("{value: 1}"));
        SG_VERIFY_OK(notesOf(there).setLabel(kBob, "of this place"));
        SG_VERIFY_OK(importThread(there->parts(), here.folder() / "alice.zip", "carol"));
        const auto kept = notesOf(there).read();
        SG_VERIFY_OK(kept);
        QCOMPARE(kept->size(), std::size_t(2));
        QCOMPARE(kept->at(kBob).label, std::string("of this place"));
        QCOMPARE(kept->at(ThreadId("carol")).label, std::string("first try"));
        QCOMPARE(kept->at(ThreadId("carol")).bookmarks.at(head), std::string("before the fix"));
    }

    // Lines that are there already are not lost, and none comes to another thread.
    void takesWhatItsConsolePrinted()
    {
        const auto print = [](ExampleProject& project, const ThreadId& thread, const std::string& text) {
            const auto database = Database::open(project.database(), Database::Access::ReadWrite);
            checkpoint::LogRecord record;
            record.run = checkpoint::consoleRun(thread);
            record.stream = "stdout";
            record.bytes = text;
            return (*database)->log().addLog({ record });
        };
        const auto printed = [](ExampleProject& project, const ThreadId& thread) {
            std::string all;
            const auto log = project->history().log(thread, 100);
            for (const checkpoint::LogRecord& record : *log)
                all += record.bytes + "|";
            return all;
        };
        ExampleProject here(test::oneNodeGraph("{value: 1}"));
        here.run(kAlice, kInput);
        SG_VERIFY_OK(print(here, kAlice, "from afar"));
        SG_VERIFY_OK(exported(here));
        ExampleProject there(test::oneNodeGraph("{value: 1}"));
        there.run(kBob, kInput);
        SG_VERIFY_OK(print(there, kAlice, "before"));
        SG_VERIFY_OK(importThread(there->parts(), here.folder() / "alice.zip"));
        SG_VERIFY_OK(importThread(there->parts(), here.folder() / "alice.zip", "carol"));
        QCOMPARE(printed(there, kAlice), std::string("before|from afar|"));
        QCOMPARE(printed(there, ThreadId("carol")), std::string("from afar|"));
        QCOMPARE(printed(there, kBob), std::string());
    }

    void isNotWrittenWithASecretInItsState_data()
    {
        QTest::addColumn<QByteArray>("state");
        const auto key = [](int length) { return "\"sk-" + QByteArray(length - 3, 'x') + '"'; };
        QTest::newRow("key of 51") << key(51);
        QTest::newRow("key of 108") << key(108);
        QTest::newRow("key of 20 in a list") << "[1, " + key(51) + ']';
        QTest::newRow("password") << QByteArray(R"({"user": "alice", "password": "hunter2hunter2"})");
        QTest::newRow("deep") << QByteArray(R"([{"db": {"api_key": "0123456789abcdef"}}])");
    }
    void isNotWrittenWithASecretInItsState()
    {
        QFETCH(QByteArray, state);
        ExampleProject here(test::oneNodeGraph("{value: .value}"));
        here.run(kAlice, Value::map({ { "value", *parseJson(state.toStdString()) } }));
        const auto refused = exported(here);
        SG_VERIFY_OK(refused);
        QVERIFY(!refused->isWritten);
        QVERIFY(!std::filesystem::exists(here.folder() / "alice.zip"));
        std::string where;
        for (const exchange::SecretFinding& finding : refused->secrets)
            where += finding.where + " ";
        SG_VERIFY_CONTAINS(where, "rows/checkpoints.rows");
        SG_VERIFY_CONTAINS(where, "rows/writes.rows");
        const auto allowed = exported(here, true);
        SG_VERIFY_OK(allowed);
        QVERIFY(allowed->isWritten);
    }

    void isNotImportedIntoWhatIsOnlyRead()
    {
        ExampleProject here(test::oneNodeGraph("{value: 1}"));
        here.run(kAlice, kInput);
        SG_VERIFY_OK(exported(here));
        const auto before = readFile(here.database());
        WorkbenchOptions options;
        options.project = here->project();
        options.readOnly = true;
        const auto reading = Workbench::open(std::move(options));
        SG_VERIFY_OK(reading);
        const auto refused = importThread((*reading)->parts(), here.folder() / "alice.zip", "carol");
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, Errc::Unsupported);
        QVERIFY(*readFile(here.database()) == *before);
    }
};

SG_CORE_TEST(TestThreadBundle)
#include "tst_thread_bundle.moc"
