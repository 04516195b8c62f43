#include "tests/core/engine/engine_thread.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <algorithm>
#include <atomic>

using namespace sg;
using namespace sg::engine;
using test::EngineThread;
using test::failedWith;
using test::FunctionNodes;
using test::graphFromText;
using test::returned;
using test::text;

class TestRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runsInOrder_data();
    void runsInOrder();
    void branches();
    void branchesSeeEveryLengthOfAList();
    void aFailedBranchIsTriedAgainWithTheSameInput();
    void loopsUntilItsLimit();
    void takesTheGraphsLimit();
    void refusesWritesOutsideTheSlice();
    void showsOnlyTheSlice();
    void blockingTasksRunAtTheSameTime();
    void refusesBadInput();
    void runsNestedGraphs();
};

void TestRun::runsInOrder_data()
{
    QTest::addColumn<QString>("graph");
    QTest::addColumn<QString>("trace");
    QTest::addColumn<QString>("log");
    const auto row = [](const char* name, const char* graph, const char* trace, const char* log) {
        QTest::newRow(name) << QString::fromUtf8(graph) << QString::fromUtf8(trace) << QString::fromUtf8(log);
    };
    row("chain", "start -> a -> b -> end", "1 a; 2 b", R"(["a","b"])");
    row("fan out", "start -> b; start -> a", "1 a b", R"(["a","b"])");
    row("uneven fan in runs twice", "start -> a -> c -> d; start -> b -> d", "1 a b; 2 c d; 3 d",
        R"(["a","b","c","d","d"])");
    row("waiting edge", "start -> a -> c; start -> b; [c, b] -> d", "1 a b; 2 c; 3 d",
        R"(["a","b","c","d"])");
    row("the same edge twice", "start -> a -> b; a -> b", "1 a; 2 b", R"(["a","b"])");
}

void TestRun::runsInOrder()
{
    QFETCH(QString, graph);
    QFETCH(QString, trace);
    QFETCH(QString, log);
    EngineThread thread(graphFromText(graph.toStdString()), {});
    const RunResult result = thread.run("{}");
    QCOMPARE(runStatusName(result.status), std::string("done"));
    QCOMPARE(thread.trace(), trace.toStdString());
    QCOMPARE(text(result.values["log"]), log.toStdString());
}

void TestRun::branches()
{
    graph::Graph graph = graphFromText("start -> a; b -> end; c -> end");
    graph.branches.push_back(test::branchTo("a", "choose"));
    FunctionNodes nodes;
    nodes.functions()["a"] = [](TaskContext&) { return returned(test::json("{\"x\":7,\"other\":1}")); };
    Value seen;
    nodes.functions()["choose"] = [&seen](TaskContext& context) {
        seen = context.input();
        return returned(Value::list({ "c", "b", "__end__" }));
    };
    EngineThread thread(graph, nodes);
    QCOMPARE(text(thread.run("{\"log\":[\"in\"]}").values["log"]), std::string(R"(["in","b","c"])"));
    // The branch sees what its own node wrote, and keys that are no channels.
    QCOMPARE(text(seen), std::string(R"({"x":7,"other":1,"log":["in"],"n":0})"));
}

// A list that a branch saw, also where it keeps it, is not changed by what comes later.
void TestRun::branchesSeeEveryLengthOfAList()
{
    graph::Graph graph = graphFromText("start -> a");
    graph.branches.push_back(test::branchTo("a", "again"));
    FunctionNodes nodes;
    std::vector<Value> seen;
    nodes.functions()["again"] = [&seen](TaskContext& context) {
        const std::size_t size = context.input()["log"].asList().size();
        if (size % 2 == 0)
            seen.push_back(context.input());
        return returned(Value(size < 5 ? "a" : "__end__"));
    };
    EngineThread thread(graph, nodes);
    QCOMPARE(text(thread.run("{}").values["log"]), std::string(R"(["a","a","a","a","a"])"));
    QCOMPARE(seen.size(), std::size_t(2));
    QCOMPARE(text(seen[0]["log"]), std::string(R"(["a","a"])"));
    QCOMPARE(text(seen[1]["log"]), std::string(R"(["a","a","a","a"])"));
}

// A branch that fails and is tried again, beside what its node read.
void TestRun::aFailedBranchIsTriedAgainWithTheSameInput()
{
    graph::Graph graph = graphFromText("start -> a");
    graph.branches.push_back(test::branchTo("a", "choose"));
    graph::RetryPolicy policy;
    policy.initialInterval = 0;
    policy.jitter = false;
    graph.nodes.front().retry = { policy };
    FunctionNodes nodes;
    std::string inputs;
    nodes.functions()["a"] = [&inputs](TaskContext& context) {
        inputs += text(context.input()["log"]);
        return returned(test::json(R"({"log":["new"]})"));
    };
    int calls = 0;
    nodes.functions()["choose"] = [&calls](TaskContext&) {
        return ++calls < 3 ? test::failedWith("ConnectionError", "again") : returned(Value("__end__"));
    };
    EngineThread thread(graph, nodes);
    QCOMPARE(text(thread.run(R"({"log":["in"]})").values["log"]), std::string(R"(["in","new"])"));
    QCOMPARE(inputs, std::string(R"(["in"]["in"]["in"])"));
}

void TestRun::loopsUntilItsLimit()
{
    EngineThread thread(graphFromText("start -> a -> a"), {});
    thread.options.recursionLimit = 3;
    const RunResult result = thread.run("{}");
    QCOMPARE(runStatusName(result.status), std::string("recursion_limit"));
    QCOMPARE(result.errorType, std::string("GraphRecursionError"));
    QCOMPARE(thread.trace(), std::string("1 a; 2 a; 3 a"));
    QCOMPARE(result.supersteps, std::int64_t(3)); // the input's own is none
    QCOMPARE(text(thread.state().values["log"]), std::string(R"(["a","a","a"])"));
}

void TestRun::takesTheGraphsLimit()
{
    graph::Graph graph = graphFromText("start -> a -> a");
    graph.recursionLimit = 1;
    EngineThread thread(graph, {});
    thread.run("{}");
    QCOMPARE(thread.trace(), std::string("1 a"));
}

void TestRun::refusesWritesOutsideTheSlice()
{
    graph::Graph graph = graphFromText("start -> a");
    graph.nodes[0].writes = { "log" };
    FunctionNodes nodes;
    nodes.functions()["a"] = [](TaskContext&) { return returned(test::json("{\"log\":[1],\"x\":2}")); };
    EngineThread thread(graph, nodes);
    const RunResult result = thread.run("{}");
    QCOMPARE(result.errorType, std::string("PermissionError"));
    QVERIFY2(result.error.find("'a'") != std::string::npos && result.error.find("'x'") != std::string::npos,
             result.error.c_str());
    QCOMPARE(text(thread.state().values["log"]), std::string("[]"));
}

void TestRun::showsOnlyTheSlice()
{
    graph::Graph graph = graphFromText("start -> a");
    graph.nodes[0].reads = { "x" };
    FunctionNodes nodes;
    Value seen;
    nodes.functions()["a"] = [&seen](TaskContext& context) {
        seen = context.input();
        return returned(Value());
    };
    EngineThread thread(graph, nodes);
    thread.run("{\"x\":1,\"log\":[2]}");
    QCOMPARE(text(seen), std::string("{\"x\":1}"));
}

void TestRun::blockingTasksRunAtTheSameTime()
{
    FunctionNodes nodes;
    nodes.blocking = true;
    std::atomic<int> inside = 0;
    const auto meet = [&inside](TaskContext& context) {
        ++inside;
        if (!test::waitFor([&inside] { return inside == 2; }))
            return failedWith("TimeoutError", "the other never came");
        return returned(Value::map({ { "log", Value::list({ context.info().node.value }) } }));
    };
    nodes.functions()["a"] = meet;
    nodes.functions()["b"] = meet;
    EngineThread thread(graphFromText("start -> a -> c; start -> b -> c"), nodes);
    const RunResult result = thread.run("{}");
    QCOMPARE(result.error, std::string());
    QCOMPARE(text(result.values["log"]), std::string(R"(["a","b","c"])"));
}

void TestRun::refusesBadInput()
{
    EngineThread thread(graphFromText("start -> a"), {});
    QCOMPARE(thread.goOn().errorType, std::string("EmptyInputError"));
    QCOMPARE(thread.run("3").errorType, std::string("InvalidUpdateError"));
    thread.options.recursionLimit = 0;
    QCOMPARE(thread.run("{}").error, std::string("recursion_limit must be at least 1"));
}

void TestRun::runsNestedGraphs()
{
    graph::Graph graph = graphFromText("start -> a -> sub -> b");
    graph.nodes[1].subgraph = std::make_shared<graph::Graph>(graphFromText("start -> s1 -> s2"));
    EngineThread thread(graph, {});
    const RunResult result = thread.run("{}");
    QCOMPARE(text(result.values["log"]), std::string(R"(["a","a","s1","s2","b"])"));
    const auto nested = std::ranges::find_if(thread.events, [](const RunEvent& event) {
        const auto* task = std::get_if<TaskStarted>(&event.body);
        return task != nullptr && task->node.value == "s2";
    });
    QVERIFY(nested != thread.events.end());
    QVERIFY(std::get<TaskStarted>(nested->body).ns.starts_with("sub:"));
}

SG_TEST(TestRun)
#include "tst_run.moc"
