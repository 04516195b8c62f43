// One node runs again from a checkpoint of the past; what ran beside it is reused.

#include "core/base/json.h"
#include "core/history/history_pages.h"
#include "core/workbench/workbench.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <algorithm>

using namespace sg;
using namespace sg::history;
using namespace sg::projects;
using namespace sg::runs;
using namespace sg::workbench;

namespace {

const ThreadId kThread("t");

// Two nodes and two packets of a third side by side, then one; each logs the word that it is given here.
std::string graphText(const std::string& word)
{
    ValueList nodes;
    for (const std::string name : { "s", "a", "b", "p", "j" })
        nodes.push_back(
            Value::map({ { "name", name }, { "kind", "jq" }, { "jq", "{log: [\"" + name + word + "\"]}" } }));
    const Value packet =
        Value::map({ { "__send__", Value::map({ { "node", "p" }, { "arg", Value::map() } }) } });
    const Value branch = Value::map({ { "from", "s" },
                                      { "jq", "[" + toJson(packet) + ", " + toJson(packet) + "]" },
                                      { "targets", Value::list({ "p" }) } });
    const Value log = Value::map({ { "type", "reduce" }, { "reducer", "append" } });
    return toJson(Value::map(
        { { "state", Value::map({ { "log", log } }) },
          { "nodes", std::move(nodes) },
          { "edges",
            Value::list({ Value::list({ "__start__", "s" }), Value::list({ "s", "a" }),
                          Value::list({ "s", "b" }), Value::list({ Value::list({ "a", "b" }), "j" }),
                          Value::list({ "j", "__end__" }) }) },
          { "branches", Value::list({ branch }) } }));
}

class Project {
public:
    Project()
    {
        write("1");
        WorkbenchOptions options;
        options.project = *locateProject(m_folder / "g.graph.json");
        m_project = std::move(*Workbench::open(std::move(options)));
        run(engine::RunInput::input(Value::map({ { "log", Value(ValueList()) } })));
    }
    void write(const std::string& word) { m_folder.write("g.graph.json", graphText(word)); }
    engine::RunResult run(engine::RunInput input)
    {
        RunRequest request;
        request.thread = kThread;
        request.input = std::move(input);
        auto run = m_project->runs().start(request);
        if (!run)
            qFatal("%s", run.error().message.c_str());
        return m_project->runs().wait(*run);
    }
    Workbench& operator*() { return *m_project; }
    Workbench* operator->() { return m_project.get(); }
    // The checkpoint that the four tasks began at.
    engine::StateAddress start()
    {
        const auto rows = *m_project->history().checkpoints(kThread);
        const auto at = std::ranges::find(rows, std::int64_t{ 1 }, &CheckpointRow::step);
        return { kThread, "", at->id };
    }

private:
    test::TempDir m_folder;
    std::unique_ptr<Workbench> m_project;
};

} // namespace

class TestRerun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theOthersCountAsTheyWere_data()
    {
        QTest::addColumn<QString>("node");
        QTest::addColumn<QString>("log");
        QTest::addColumn<QString>("tasks");
        QTest::newRow("one of two") << "a"
                                    << "s1 a2 b1 p1 p1 j2"
                                    << "a:done b:cached p:cached p:cached";
        QTest::newRow("all packets of a node") << "p"
                                               << "s1 a1 b1 p2 p2 j2"
                                               << "a:cached b:cached p:done p:done";
    }
    void theOthersCountAsTheyWere()
    {
        QFETCH(QString, node);
        QFETCH(QString, log);
        QFETCH(QString, tasks);
        Project project;
        project.write("2"); // what runs again says so
        const auto made = project->states().forkToRerun(project.start(), { NodeId(node.toStdString()) });
        SG_VERIFY_OK(made);
        const engine::RunResult result = project.run(engine::RunInput::goOn());
        QStringList words;
        for (const Value& each : result.values["log"].asList())
            words << QString::fromStdString(each.asString());
        QCOMPARE(words.join(QLatin1Char(' ')), log);
        auto pages = HistoryPages::open(project->project().checkpoints);
        SG_VERIFY_OK(pages);
        const auto page = pages->newest(kThread, "", 100);
        SG_VERIFY_OK(page);
        QStringList seen;
        for (const TaskRow& task : page->tasks)
            if (task.checkpoint == made->checkpoint)
                seen << QString::fromStdString(task.node.value + ":" + taskOutcomeName(task.outcome));
        seen.sort();
        QCOMPARE(seen.join(QLatin1Char(' ')), tasks);
    }

    void whatDoesNotRunThereIsRefused()
    {
        Project project;
        const auto before = project->history().checkpoints(kThread)->size();
        const auto made = project->states().forkToRerun(project.start(), { NodeId("j") });
        QVERIFY(!made);
        QCOMPARE(made.error().code, Errc::InvalidArgument);
        SG_VERIFY_CONTAINS(made.error().message, "'j' does not run from this checkpoint");
        QCOMPARE(project->history().checkpoints(kThread)->size(), before); // nothing is left of it
    }
};

SG_TEST(TestRerun)
#include "tst_rerun.moc"
