#include "core/checkpoint/serde/langgraph_types.h"
#include "tests/core/engine/engine_thread.h"
#include "tests/support/wait_for.h"

#include <algorithm>
#include <atomic>
#include <stop_token>

using namespace sg;
using namespace sg::engine;
using test::EngineThread;
using test::failed;
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
    void triesAgain_data();
    void triesAgain();
    void waitsLongerEachTime();
    void aFailureIsAnOutcome();
    void siblingsOfAFailureFinish();
    void anErrorHandlerTakesOver();
    void refusesWritesOutsideTheSlice();
    void showsOnlyTheSlice();
    void blockingTasksRunAtTheSameTime();
    void stopsBetweenTasks();
    void aStopIsNoFailure();
    void numbersItsEvents();
    void forwardsLogs();
    void tellsWhatWasSaved();
    void warnsOfTargetsThatAreNoNodes_data();
    void warnsOfTargetsThatAreNoNodes();
    void saysWhereABranchWentWrong();
    void showsWhatIsStoredAfterAFoldFailed();
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

// What a branch saw of a list, also where it keeps it, is not changed by what comes later.
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
        return ++calls < 3 ? test::failed("ConnectionError", "again") : returned(Value("__end__"));
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

void TestRun::triesAgain_data()
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

void TestRun::triesAgain()
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
            return failed("AssertionError", "wrong attempt");
        return failed(type.toStdString(), "boom");
    };
    EngineThread thread(graph, nodes);
    const RunResult result = thread.run("{}");
    QCOMPARE(calls, attempts);
    QCOMPARE(result.errorType, type.toStdString());
}

void TestRun::waitsLongerEachTime()
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
        return ++calls < 4 ? failed("CustomError", "boom") : returned(Value());
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

void TestRun::aFailureIsAnOutcome()
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

void TestRun::siblingsOfAFailureFinish()
{
    FunctionNodes nodes;
    int runs = 0;
    bool broken = true;
    nodes.functions()["a"] = [&broken](TaskContext&) {
        return broken ? failed("ValueError", "boom") : returned(test::json("{\"log\":[\"a\"]}"));
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

void TestRun::anErrorHandlerTakesOver()
{
    graph::Graph graph = graphFromText("start -> a -> b");
    graph.nodes[0].errorHandler = test::json("{\"function\":\"mend\"}");
    FunctionNodes nodes;
    nodes.functions()["a"] = [](TaskContext&) { return failed("ValueError", "boom"); };
    Value seen;
    nodes.functions()["mend"] = [&seen](TaskContext& context) {
        seen = context.input()["error"];
        return returned(test::json("{\"log\":[\"mended\"]}"));
    };
    EngineThread thread(graph, nodes);
    const RunResult result = thread.run("{}");
    QCOMPARE(runStatusName(result.status), std::string("done"));
    QCOMPARE(text(seen), std::string(R"({"node":"a","type":"ValueError","message":"boom"})"));
    QCOMPARE(text(result.values["log"]), std::string(R"(["mended"])"));
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
            return failed("TimeoutError", "the other never came");
        return returned(Value::map({ { "log", Value::list({ context.info().node.value }) } }));
    };
    nodes.functions()["a"] = meet;
    nodes.functions()["b"] = meet;
    EngineThread thread(graphFromText("start -> a -> c; start -> b -> c"), nodes);
    const RunResult result = thread.run("{}");
    QCOMPARE(result.error, std::string());
    QCOMPARE(text(result.values["log"]), std::string(R"(["a","b","c"])"));
}

void TestRun::stopsBetweenTasks()
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

void TestRun::aStopIsNoFailure()
{
    FunctionNodes nodes;
    std::stop_source source;
    bool stopping = true;
    nodes.functions()["a"] = [&](TaskContext& context) {
        if (!stopping)
            return returned(test::json("{\"log\":[\"a\"]}"));
        source.request_stop();
        return context.stopToken().stop_requested() ? failed("KeyboardInterrupt", "") : returned(Value());
    };
    EngineThread thread(graphFromText("start -> a; start -> b"), nodes);
    thread.options.stop = source.get_token();
    QCOMPARE(runStatusName(thread.run("{}").status), std::string("stopped"));
    QVERIFY(thread.state().tasks.at(0).error.isNull());
    stopping = false;
    thread.options.stop = {};
    QCOMPARE(text(thread.goOn().values["log"]), std::string(R"(["a","b"])"));
}

void TestRun::numbersItsEvents()
{
    FunctionNodes nodes;
    nodes.blocking = true;
    EngineThread thread(graphFromText("start -> a -> d; start -> b -> d; start -> c -> d"), nodes);
    thread.run("{}");
    QVERIFY(thread.events.size() > 10);
    for (std::size_t i = 0; i < thread.events.size(); ++i)
        QCOMPARE(thread.events[i].sequence, i + 1);
    QVERIFY(std::holds_alternative<RunStarted>(thread.events.front().body));
    QVERIFY(std::holds_alternative<RunFinished>(thread.events.back().body));
}

void TestRun::forwardsLogs()
{
    FunctionNodes nodes;
    nodes.functions()["a"] = [](TaskContext& context) {
        context.log(TaskContext::Stream::Stderr, std::string_view("\xff\0x", 3));
        context.emitCustom(Value(5));
        return returned(Value());
    };
    EngineThread thread(graphFromText("start -> a"), nodes);
    thread.options.streamModes = { "custom" };
    thread.run("{}");
    std::string logged;
    std::string custom;
    for (const RunEvent& event : thread.events) {
        if (const auto* line = std::get_if<LogLine>(&event.body))
            logged = line->node.value + std::string(line->stream == LogLine::Stream::Stderr ? "!" : "?")
                + line->bytes;
        if (const auto* chunk = std::get_if<StreamChunk>(&event.body))
            custom += chunk->mode + text(chunk->data);
    }
    QCOMPARE(logged, std::string("a!\xff\0x", 5));
    QCOMPARE(custom, std::string("custom5"));
}

void TestRun::tellsWhatWasSaved()
{
    EngineThread thread(graphFromText("start -> a -> b"), {});
    thread.run("{}");
    std::string saved;
    for (const RunEvent& event : thread.events)
        if (const auto* checkpoint = std::get_if<CheckpointSaved>(&event.body)) {
            saved += std::to_string(checkpoint->step) + checkpoint->source + ":";
            for (const NodeId& node : checkpoint->after)
                saved += " " + node.value;
            saved += " >";
            for (const NodeId& node : checkpoint->next)
                saved += " " + node.value;
            saved += "\n";
        }
    QCOMPARE(saved, std::string("-1input: > __start__\n0loop: __start__ > a\n1loop: a > b\n2loop: b >\n"));
}

void TestRun::warnsOfTargetsThatAreNoNodes_data()
{
    QTest::addColumn<bool>("sends");
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("warning");
    const QString told = QStringLiteral("a: warning: it goes on to 'nosuch', which is no node of the graph: "
                                        "ignored");
    QTest::newRow("goto") << false << QStringLiteral("nosuch") << told;
    QTest::newRow("send") << true << QStringLiteral("nosuch") << told;
    QTest::newRow("a node") << false << QStringLiteral("b") << QString();
    QTest::newRow("send to a node") << true << QStringLiteral("b") << QString();
    QTest::newRow("the end") << false << QStringLiteral("__end__") << QString();
}

void TestRun::warnsOfTargetsThatAreNoNodes()
{
    QFETCH(bool, sends);
    QFETCH(QString, target);
    QFETCH(QString, warning);
    FunctionNodes nodes;
    nodes.functions()["a"] = [&](TaskContext&) {
        checkpoint::CommandView command;
        const std::string name = target.toStdString();
        command.goTo = sends ? checkpoint::makeSend(name, Value::map()) : Value(name);
        return returned(checkpoint::makeCommand(command));
    };
    EngineThread thread(graphFromText("start -> a; b -> end"), nodes);
    QCOMPARE(runStatusName(thread.run("{}").status), std::string("done")); // as in LangGraph
    std::string logged;
    for (const RunEvent& event : thread.events)
        if (const auto* line = std::get_if<LogLine>(&event.body))
            logged += line->node.value + ": " + line->bytes;
    QCOMPARE(logged, warning.toStdString());
}

void TestRun::saysWhereABranchWentWrong()
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
void TestRun::showsWhatIsStoredAfterAFoldFailed()
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

QTEST_APPLESS_MAIN(TestRun)
#include "tst_run.moc"
