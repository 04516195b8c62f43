#include "core/checkpoint/serde/langgraph_types.h"
#include "tests/core/engine/engine_thread.h"
#include "tests/support/test_main.h"

#include <map>

using namespace sg;
using namespace sg::engine;
using test::EngineThread;
using test::FunctionNodes;
using test::graphFromText;
using test::returned;
using test::text;

class TestRunEvents : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersItsEvents();
    void forwardsLogs();
    void tellsEachMessageOnce();
    void tellsWhatWasSaved();
    void tellsTheWholeTaskTwice();
    void warnsOfKeysThatAreNoChannels();
    void warnsOfTargetsThatAreNoNodes_data();
    void warnsOfTargetsThatAreNoNodes();
};

void TestRunEvents::numbersItsEvents()
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

void TestRunEvents::forwardsLogs()
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

// Words that a model says piece by piece are told, and messages that nodes return; those that were there
// before are not.
void TestRunEvents::tellsEachMessageOnce()
{
    const auto message = [](const char* id, const char* content) {
        ValueMap map{ { "type", "ai" }, { "content", content } };
        if (*id != '\0')
            map.set("id", id);
        return *checkpoint::makeMessage(map);
    };
    FunctionNodes nodes;
    nodes.functions()["a"] = [&](TaskContext& context) {
        if (context.streamsMessages())
            context.emitMessage(message("streamed", "Hel"), { { "ls_model_name", "m" } });
        return returned(Value::map({ { "log",
                                       Value::list({ message("streamed", "Hello"), message("new", "there"),
                                                     message("", "no id") }) } }));
    };
    nodes.functions()["b"] = [&](TaskContext& context) {
        return returned(Value::map({ { "log", Value::list({ context.input()["log"][std::size_t{ 1 }] }) } }));
    };
    EngineThread thread(graphFromText("start -> a -> b"), nodes);
    thread.options.streamModes = { "messages" };
    thread.run("{}");
    std::string told;
    std::string id;
    for (const RunEvent& event : thread.events)
        if (const auto* chunk = std::get_if<StreamChunk>(&event.body)) {
            const auto map = checkpoint::asMessage(chunk->data[std::size_t{ 0 }]);
            QVERIFY(map);
            const Value& about = chunk->data[std::size_t{ 1 }];
            told += chunk->mode + " " + about.stringOr("langgraph_node", "") + " "
                + map->stringOr("content", "") + " " + about.stringOr("ls_model_name", "-") + ";";
            id = map->stringOr("id", "");
        }
    QCOMPARE(told, std::string("messages a Hel m;messages a there -;messages a no id -;"));
    QCOMPARE(id.size(), std::size_t{ 36 }); // the stream and the state agree on it
    const Value stored = thread.state().values["log"][std::size_t{ 2 }];
    QCOMPARE(checkpoint::asMessage(stored)->stringOr("id", ""), id);
}

void TestRunEvents::tellsWhatWasSaved()
{
    EngineThread thread(graphFromText("start -> a -> b"), {});
    thread.run("{}");
    std::string saved;
    for (const RunEvent& event : thread.events)
        if (const auto* checkpoint = std::get_if<CheckpointSaved>(&event.body)) {
            saved += std::to_string(checkpoint->step) + checkpoint->source.text() + ":";
            for (const NodeId& node : checkpoint->after)
                saved += " " + node.value;
            saved += " >";
            for (const NodeId& node : checkpoint->next)
                saved += " " + node.value;
            saved += "\n";
        }
    QCOMPARE(saved, std::string("-1input: > __start__\n0loop: __start__ > a\n1loop: a > b\n2loop: b >\n"));
}

void TestRunEvents::tellsTheWholeTaskTwice()
{
    FunctionNodes nodes;
    int calls = 0;
    nodes.functions()["a"] = [&calls](TaskContext&) {
        return ++calls == 1 ? test::failedWith("ConnectionError", "again") : returned(Value());
    };
    graph::Graph graph = graphFromText("start -> a -> sub");
    graph.nodes[0].retry.emplace_back().initialInterval = 0;
    graph.nodes[0].retry.back().jitter = false;
    graph.nodes[1].subgraph = std::make_shared<graph::Graph>(graphFromText("start -> s"));
    EngineThread thread(graph, nodes);
    thread.run("{}");
    std::map<TaskId, RunTask> open;
    std::map<std::string, CheckpointId> heads; // by namespace
    std::string told;
    for (const RunEvent& event : thread.events) {
        if (const auto* saved = std::get_if<CheckpointSaved>(&event.body))
            heads[saved->ns] = saved->checkpoint;
        if (const auto* started = std::get_if<TaskStarted>(&event.body)) {
            QCOMPARE(started->checkpoint, heads[started->ns]);
            QVERIFY(started->startedAt <= event.time);
            open[started->task] = *started;
        }
        if (const auto* ended = std::get_if<TaskFinished>(&event.body)) {
            const RunTask& began = open[ended->task];
            QCOMPARE(ended->checkpoint, began.checkpoint);
            QVERIFY(ended->startedAt == began.startedAt && ended->ns == began.ns
                    && ended->step == began.step);
            told += ended->node.value + " " + std::to_string(began.attempts) + " "
                + std::to_string(ended->attempts) + ";";
        }
    }
    QCOMPARE(told, std::string("a 1 2;s 1 1;sub 1 1;"));
}

void TestRunEvents::warnsOfKeysThatAreNoChannels()
{
    FunctionNodes nodes;
    nodes.functions()["a"] = [](TaskContext&) {
        ValueMap update{ { "lgo", 1 }, { "log", Value::list({ 2 }) } };
        update.set(Value(7), Value(3));
        return returned(Value(std::move(update)));
    };
    EngineThread thread(graphFromText("start -> a"), nodes);
    QCOMPARE(runStatusName(thread.run("{}").status), std::string("done")); // as in LangGraph
    std::string logged;
    for (const RunEvent& event : thread.events)
        if (const auto* line = std::get_if<LogLine>(&event.body))
            logged += line->node.value + ": " + line->bytes + (line->isWarning ? "\n" : "?");
    QCOMPARE(logged,
             std::string("a: warning: it returned 'lgo', which is no channel of the graph: its value was "
                         "dropped; did you mean 'log'?\n"
                         "a: warning: it returned '7', which is no channel of the graph: its value was "
                         "dropped\n"));
}

void TestRunEvents::warnsOfTargetsThatAreNoNodes_data()
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

void TestRunEvents::warnsOfTargetsThatAreNoNodes()
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

SG_TEST(TestRunEvents)
#include "tst_run_events.moc"
