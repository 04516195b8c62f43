// A database tells without its graph what the engine tells with it, at every checkpoint of a thread.

#include "core/checkpoint/serde/plain_data.h"
#include "core/workbench/workbench.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::history;
using namespace sg::projects;
using namespace sg::runs;
using namespace sg::workbench;

namespace {

std::string graphOf(const std::string& nodes, const std::string& edges, const std::string& more = {})
{
    return R"({"state": {"x": {}, "log": {"type": "reduce", "reducer": "append"}}, "nodes": [)" + nodes
        + R"(], "edges": [)" + edges + "]" + more + "}";
}

std::string logs(const std::string& name)
{
    return "{\"name\": \"" + name + "\", \"kind\": \"jq\", \"jq\": \"{log: [.x]}\"}";
}

// Leaves all that the file carries, to be compared. A task that has not begun has an id only with the graph,
// and what a reducer starts from stands in the graph until something is written.
Value comparable(const engine::StateSnapshot& snapshot)
{
    Value document = checkpoint::plain(engine::toValue(snapshot));
    Value& values = document.editMap().at("values");
    if (values["log"] == Value(ValueList()))
        values.editMap().erase("log");
    for (Value& task : document.editMap().at("tasks").editList())
        if (task["result"].isNull() && task["error"].isNull() && task["interrupts"].asList().empty())
            task.editMap().erase("id");
    return document;
}

} // namespace

class TestInertState : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isWhatTheEngineSays_data()
    {
        QTest::addColumn<std::string>("graph");
        QTest::addColumn<int>("checkpoints");
        QTest::newRow("in a row") << graphOf(logs("a") + "," + logs("b"),
                                             R"(["__start__", "a"], ["a", "b"], ["b", "__end__"])")
                                  << 4;
        QTest::newRow("side by side, then together")
            << graphOf(logs("a") + "," + logs("b") + "," + logs("c"),
                       R"(["__start__", "a"], ["__start__", "b"], [["a", "b"], "c"], ["c", "__end__"])")
            << 4;
        QTest::newRow("branch") << graphOf(
            logs("a") + "," + logs("b") + "," + logs("c"),
            R"(["__start__", "a"], ["b", "__end__"], ["c", "__end__"])",
            R"(, "branches": [{"from": "a", "jq": ".x", "targets": {"v": "b", "w": "c"}}])")
                                << 4;
        QTest::newRow("a failure beside a success")
            << graphOf(logs("a") + R"(,{"name": "f", "kind": "jq", "jq": ".x | error"})",
                       R"(["__start__", "a"], ["__start__", "f"], ["a", "__end__"], ["f", "__end__"])")
            << 2;
        QTest::newRow("a question") << graphOf(
            logs("a") + R"(,{"name": "ask", "kind": "human", "question": "well?"})",
            R"(["__start__", "a"], ["a", "ask"], ["ask", "__end__"])")
                                    << 3;
    }
    void isWhatTheEngineSays()
    {
        QFETCH(std::string, graph);
        QFETCH(int, checkpoints);
        const test::TempDir folder;
        WorkbenchOptions options;
        auto paths = locateProject(folder.write("g.graph.json", graph));
        SG_VERIFY_OK(paths);
        options.project = std::move(*paths);
        auto project = Workbench::open(std::move(options));
        SG_VERIFY_OK(project);
        const ThreadId thread("t");
        RunRequest request;
        request.thread = thread;
        request.input = engine::RunInput::input(Value::map({ { "x", "v" } }));
        auto run = (*project)->runs().start(request);
        SG_VERIFY_OK(run);
        (*project)->runs().wait(*run);

        auto rows = (*project)->history().checkpoints(thread);
        SG_VERIFY_OK(rows);
        QCOMPARE(static_cast<int>(rows->size()), checkpoints);
        for (const CheckpointRow& row : *rows) {
            auto inert = (*project)->history().state(thread, "", row.id);
            SG_VERIFY_OK(inert);
            auto exact = (*project)->states().state({ thread, "", row.id });
            SG_VERIFY_OK(exact);
            QCOMPARE(comparable(*inert), comparable(*exact));
        }
        auto head = (*project)->history().state(thread);
        SG_VERIFY_OK(head);
        auto exact = (*project)->states().state({ thread, "", {} });
        SG_VERIFY_OK(exact);
        for (const char* part :
             { "next", "tasks", "config", "interrupts" }) // its values hold finished tasks' writes
            QCOMPARE(comparable(*head)[part], comparable(*exact)[part]);
    }
};

SG_TEST(TestInertState)
#include "tst_inert_state.moc"
