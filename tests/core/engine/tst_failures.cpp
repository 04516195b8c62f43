#include "tests/core/engine/engine_thread.h"
#include "tests/support/test_main.h"

#include <stop_token>

using namespace sg;
using namespace sg::engine;
using test::EngineThread;
using test::failedWith;
using test::FunctionNodes;
using test::graphFromText;
using test::returned;
using test::text;

class TestFailures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void triesAgain_data();
    void triesAgain();
    void waitsLongerEachTime();
    void aFailureIsAnOutcome();
    void siblingsOfAFailureFinish();
    void anErrorHandlerTakesOver();
    void aHandlerThatFailsTellsWhatItHandled();
    void aFailureInsideComesBeforeThatOfItsNode();
    void stopsBetweenTasks();
    void aStopIsNoFailure();
    void saysWhereABranchWentWrong();
    void showsWhatIsStoredAfterAFoldFailed();
};

void TestFailures::triesAgain_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<QStringList>("retryOn");
    QTest::addColumn<int>("attempts");
    QTest::newRow("by default") << QStringLiteral("CustomError") << QStringList() << 3;
    QTest::newRow("a connection") << QStringLiteral("ConnectionResetError") << QStringList() << 3;
    QTest::newRow("not a bug") << QStringLiteral("ValueError") << QStringList() << 1;
    QTest::newRow("nor a kind of one") << QStringLiteral("KeyError") << QStringList() << 1;
    QTest::newRow("a bug where asked")
        << QStringLiteral("KeyError") << QStringList{ QStringLiteral("LookupError") } << 3;
    QTest::newRow("others not") << QStringLiteral("OSError") << QStringList{ QStringLiteral("LookupError") }
                                << 1;
}

void TestFailures::triesAgain()
{
    QFETCH(QString, type);
    QFETCH(QStringList, retryOn);
    QFETCH(int, attempts);
    graph::Graph graph = graphFromText("start -> a");
    graph::RetryPolicy policy;
    for (const QString& name : retryOn)
        policy.retryOn.push_back(name.toStdString());
    graph.nodes[0].retry = { policy };
    FunctionNodes nodes;
    int calls = 0;
    nodes.functions()["a"] = [&](TaskContext& context) {
        if (context.info().attempt != ++calls)
            return failedWith("AssertionError", "wrong attempt");
        return failedWith(type.toStdString(), "boom");
    };
    EngineThread thread(graph, nodes);
    const RunResult result = thread.run("{}");
    QCOMPARE(calls, attempts);
    QCOMPARE(result.errorType, type.toStdString());
}

void TestFailures::waitsLongerEachTime()
{
    graph::Graph graph = graphFromText("start -> a");
    graph::RetryPolicy policy;
    policy.maxAttempts = 4;
    policy.initialInterval = 1;
    policy.backoffFactor = 3;
    policy.maxInterval = 5;
    policy.jitter = false;
    graph.nodes[0].retry = { policy };
    FunctionNodes nodes;
    int calls = 0;
    nodes.functions()["a"] = [&calls](TaskContext&) {
        return ++calls < 4 ? failedWith("CustomError", "boom") : returned(Value());
    };
    EngineThread thread(graph, nodes);
    const SteadyTime start = thread.clock().steady();
    QCOMPARE(runStatusName(thread.run("{}").status), std::string("done"));
    QCOMPARE(std::chrono::duration_cast<Millis>(thread.clock().steady() - start).count(), 1000 + 3000 + 5000);
    std::vector<double> delays;
    for (const RunEvent& event : thread.events)
        if (const auto* retrying = std::get_if<TaskRetrying>(&event.body))
            delays.push_back(retrying->delaySeconds);
    QCOMPARE(delays, (std::vector<double>{ 1, 3, 5 }));
}

void TestFailures::aFailureIsAnOutcome()
{
    FunctionNodes nodes;
    nodes.functions()["b"] = [](TaskContext&) {
        return Failure{ "ValueError", "it's broken", "line 3", true, {} };
    };
    EngineThread thread(graphFromText("start -> a -> b -> c"), nodes);
    const RunResult result = thread.run("{}");
    QCOMPARE(runStatusName(result.status), std::string("failed"));
    QCOMPARE(result.failedNode.value, std::string("b"));
    QCOMPARE(result.error, std::string("it's broken"));
    QCOMPARE(result.detail, std::string("line 3"));
    QCOMPARE(thread.trace(), std::string("1 a; 2 b:failed"));
    const StateSnapshot state = thread.state();
    QCOMPARE(text(state.tasks.at(0).error), std::string(R"-("ValueError(\"it's broken\")")-"));
    QCOMPARE(text(state.values["log"]), std::string(R"(["a"])"));
}

void TestFailures::siblingsOfAFailureFinish()
{
    FunctionNodes nodes;
    int runs = 0;
    bool broken = true;
    nodes.functions()["a"] = [&broken](TaskContext&) {
        return broken ? failedWith("ValueError", "boom") : returned(test::json("{\"log\":[\"a\"]}"));
    };
    nodes.functions()["b"] = [&runs](TaskContext&) {
        ++runs;
        return returned(test::json("{\"log\":[\"b\"]}"));
    };
    EngineThread thread(graphFromText("start -> a; start -> b"), nodes);
    thread.run("{}");
    QCOMPARE(thread.trace(), std::string("1 a:failed b"));
    broken = false;
    const RunResult result = thread.goOn();
    QCOMPARE(thread.trace(), std::string("1 a"));
    QCOMPARE(runs, 1);
    QCOMPARE(text(result.values["log"]), std::string(R"(["a","b"])"));
}

void TestFailures::anErrorHandlerTakesOver()
{
    graph::Graph graph = graphFromText("start -> a -> b");
    graph.nodes[0].errorHandler = test::json("{\"function\":\"mend\"}");
    FunctionNodes nodes;
    nodes.functions()["a"] = [](TaskContext&) { return failedWith("ValueError", "boom"); };
    Value seen;
    nodes.functions()["mend"] = [&seen](TaskContext& context) {
        seen = context.input()["error"];
        return returned(test::json("{\"log\":[\"mended\"]}"));
    };
    EngineThread thread(graph, nodes);
    const RunResult result = thread.run("{}");
    QCOMPARE(runStatusName(result.status), std::string("done"));
    QCOMPARE(text(seen), std::string(R"({"node":"a","type":"ValueError","message":"boom"})"));
    QCOMPARE(result.firstFailure->node.value, std::string("a"));
    QVERIFY(!earlierFailure(result)); // the run did not fail
    QCOMPARE(text(result.values["log"]), std::string(R"(["mended"])"));
}

void TestFailures::aHandlerThatFailsTellsWhatItHandled()
{
    graph::Graph graph = graphFromText("start -> a -> b");
    graph.nodes[0].errorHandler = test::json("{\"function\":\"mend\"}");
    FunctionNodes nodes;
    nodes.functions()["a"] = [](TaskContext&) { return failedWith("ValueError", "boom"); };
    nodes.functions()["mend"] = [](TaskContext&) { return failedWith("KeyError", "later"); };
    EngineThread thread(graph, nodes);
    const RunResult result = thread.run("{}");
    QCOMPARE(runStatusName(result.status), std::string("failed"));
    QCOMPARE(result.errorType, std::string("KeyError"));
    QCOMPARE(result.detail, std::string("while it handled the failure of node 'a': ValueError: boom"));
    QCOMPARE(result.firstFailure->node.value, std::string("a"));
    QCOMPARE(result.firstFailure->errorType + ": " + result.firstFailure->error,
             std::string("ValueError: boom"));
    QCOMPARE(earlierFailure(result)->node.value, std::string("a"));
    // The handler alone runs again: what it handles is still what failed first.
    QCOMPARE(thread.goOn().firstFailure->node.value, std::string("a"));
}

void TestFailures::aFailureInsideComesBeforeThatOfItsNode()
{
    graph::Graph inner = graphFromText("start -> deep");
    graph::Graph graph = graphFromText("start -> a -> b");
    graph.nodes[0].kind = "subgraph";
    graph.nodes[0].subgraph = std::make_shared<graph::Graph>(std::move(inner));
    FunctionNodes nodes;
    nodes.functions()["deep"] = [](TaskContext&) { return failedWith("ValueError", "boom"); };
    EngineThread thread(graph, nodes);
    const RunResult result = thread.run("{}");
    QCOMPARE(result.failedNode.value, std::string("a"));
    QCOMPARE(result.firstFailure->node.value, std::string("deep"));
    QVERIFY(result.firstFailure->ns.starts_with("a:"));
    QVERIFY(!earlierFailure(result)); // it is the same failure
}

void TestFailures::stopsBetweenTasks()
{
    FunctionNodes nodes;
    std::stop_source source;
    nodes.functions()["b"] = [&source](TaskContext&) {
        source.request_stop();
        return returned(test::json("{\"log\":[\"b\"]}"));
    };
    EngineThread thread(graphFromText("start -> a -> b -> c"), nodes);
    thread.options.stop = source.get_token();
    QCOMPARE(runStatusName(thread.run("{}").status), std::string("stopped"));
    QCOMPARE(thread.trace(), std::string("1 a; 2 b"));
    thread.options.stop = {};
    const RunResult result = thread.goOn();
    QCOMPARE(thread.trace(), std::string("3 c"));
    QCOMPARE(text(result.values["log"]), std::string(R"(["a","b","c"])"));
}

void TestFailures::aStopIsNoFailure()
{
    FunctionNodes nodes;
    std::stop_source source;
    bool stopping = true;
    nodes.functions()["a"] = [&](TaskContext& context) {
        if (!stopping)
            return returned(test::json("{\"log\":[\"a\"]}"));
        source.request_stop();
        return context.stopToken().stop_requested() ? failedWith("KeyboardInterrupt", "") : returned(Value());
    };
    EngineThread thread(graphFromText("start -> a; start -> b"), nodes);
    thread.options.stop = source.get_token();
    QCOMPARE(runStatusName(thread.run("{}").status), std::string("stopped"));
    QCOMPARE(thread.trace(), std::string("1 a:stopped"));
    QVERIFY(thread.state().tasks.at(0).error.isNull());
    stopping = false;
    thread.options.stop = {};
    QCOMPARE(text(thread.goOn().values["log"]), std::string(R"(["a","b"])"));
}

void TestFailures::saysWhereABranchWentWrong()
{
    graph::Graph graph = graphFromText("start -> a; b -> end; c -> end");
    graph.branches.push_back(test::branchTo("a", "choose"));
    graph.branches.back().targets =
        std::vector<std::pair<std::string, NodeId>>{ { "yes", NodeId("b") }, { "no", NodeId("c") } };
    FunctionNodes nodes;
    nodes.functions()["choose"] = [](TaskContext&) { return returned(Value("nope")); };
    EngineThread thread(graph, nodes);
    const RunResult result = thread.run("{}");
    QCOMPARE(result.errorType, std::string("KeyError"));
    QCOMPARE(result.error,
             std::string("the branch from 'a' went to 'nope', which is none of its targets: yes, no"));
    QCOMPARE(thread.state().tasks.front().error, Value("KeyError('nope')")); // as LangGraph stores it
}

// Two writers of a channel that takes one: what the first wrote is not stored, so it is not shown.
void TestFailures::showsWhatIsStoredAfterAFoldFailed()
{
    FunctionNodes nodes;
    const auto writes = [](const char* update) {
        return [update](TaskContext&) { return returned(test::json(update)); };
    };
    nodes.functions()["a"] = writes(R"({"log": ["a"]})");
    nodes.functions()["b"] = writes(R"({"log": ["b"], "x": 1})");
    nodes.functions()["c"] = writes(R"({"log": ["c"], "x": 2})");
    EngineThread thread(graphFromText("start -> a -> b; a -> c"), nodes);
    const RunResult result = thread.run("{}");
    QCOMPARE(result.errorType, std::string("InvalidUpdateError"));
    QCOMPARE(text(result.values["log"]), std::string(R"(["a"])"));
    QVERIFY(result.values["x"].isNull());
}

SG_TEST(TestFailures)
#include "tst_failures.moc"
