#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "tests/core/engine/engine_thread.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

using namespace sg;
using namespace sg::engine;
using test::EngineThread;
using test::FunctionNodes;
using test::graphFromText;
using test::returned;
using test::text;

class TestResume : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void asksAndGoesOn();
    void answersByName();
    void refusesAnAnswerForSeveral();
    void stopsAtABreakpoint();
    void aConditionDecidesWhereABreakpointHolds_data();
    void aConditionDecidesWhereABreakpointHolds();
    void aConditionThatFailsPausesAndSaysSo();
    void goesBackInTime();
    void updatesAState();
    void saysWhatIsWrongWithAnUpdate_data();
    void saysWhatIsWrongWithAnUpdate();
    void listsItsHistory();
    void aKilledRunGoesOn_data();
    void aKilledRunGoesOn();
    void aKilledHandlerGoesOn();
    void storesNothingTwice();
    void reportsAStoreThatFails();
};

namespace {

NodeOutcome ask(TaskContext& context)
{
    const std::string name = context.info().node.value;
    const auto answer = context.interrupt(Value("what, " + name + "?"));
    if (!answer)
        return Interrupted{};
    return returned(Value::map({ { "log", Value::list({ *answer }) } }));
}

} // namespace

void TestResume::asksAndGoesOn()
{
    EngineThread thread(graphFromText("start -> a -> b -> c"), FunctionNodes({ { "b", ask } }));
    RunResult result = thread.run("{}");
    QCOMPARE(runStatusName(result.status), std::string("interrupted"));
    QCOMPARE(thread.trace(), std::string("1 a; 2 b:asks"));
    QCOMPARE(text(result.values["__interrupt__"][0]["value"]), std::string("\"what, b?\""));
    QCOMPARE(result.interrupts.size(), std::size_t(1));
    QCOMPARE(thread.state().next, std::vector<NodeId>{ NodeId("b") });
    result = thread.goOn(); // without an answer it asks again
    QCOMPARE(thread.trace(), std::string("2 b:asks"));
    result = thread.run(RunInput::resume("fine"));
    QCOMPARE(thread.trace(), std::string("2 b; 3 c"));
    QCOMPARE(text(result.values["log"]), std::string(R"(["a","fine","c"])"));
}

void TestResume::answersByName()
{
    EngineThread thread(graphFromText("start -> a; start -> b"),
                        FunctionNodes({ { "a", ask }, { "b", ask } }));
    const RunResult asked = thread.run("{}");
    QCOMPARE(asked.interrupts.size(), std::size_t(2));
    ValueMap answers;
    for (const PendingInterrupt& each : asked.interrupts)
        answers.set(Value(each.id), Value("to " + each.value.asString()));
    const RunResult result = thread.run(RunInput::resumeById(answers));
    QCOMPARE(text(result.values["log"]), std::string(R"(["to what, a?","to what, b?"])"));
}

void TestResume::refusesAnAnswerForSeveral()
{
    EngineThread thread(graphFromText("start -> a; start -> b"),
                        FunctionNodes({ { "a", ask }, { "b", ask } }));
    thread.run("{}");
    const RunResult result = thread.run(RunInput::resume(1));
    QCOMPARE(result.errorType, std::string("RuntimeError"));
    QVERIFY(result.error.starts_with("When there are multiple pending interrupts"));
}

void TestResume::stopsAtABreakpoint()
{
    EngineThread thread(graphFromText("start -> a -> b -> c"), {});
    thread.options.interruptBefore = { "b" };
    QCOMPARE(runStatusName(thread.run("{}").status), std::string("interrupted"));
    QCOMPARE(thread.trace(), std::string("1 a"));
    QCOMPARE(runStatusName(thread.goOn().status), std::string("done"));
    QCOMPARE(thread.trace(), std::string("2 b; 3 c"));
}

void TestResume::aConditionDecidesWhereABreakpointHolds_data()
{
    QTest::addColumn<QString>("where");
    QTest::addColumn<int>("from"); // length of the log from which the condition holds
    QTest::addColumn<QString>("firstTrace");
    QTest::addRow("before, at once") << "before" << 1 << "1 a";
    QTest::addRow("before, the second time") << "before" << 3 << "1 a; 2 b; 3 a";
    QTest::addRow("after, at once") << "after" << 2 << "1 a; 2 b";
    QTest::addRow("after, the second time") << "after" << 4 << "1 a; 2 b; 3 a; 4 b";
    QTest::addRow("never") << "before" << 99 << "1 a; 2 b; 3 a; 4 b; 5 a; 6 b";
}

void TestResume::aConditionDecidesWhereABreakpointHolds()
{
    QFETCH(QString, where);
    QFETCH(int, from);
    QFETCH(QString, firstTrace);
    graph::Graph graph = graphFromText("start -> a -> b");
    graph.branches.push_back(test::branchTo("b", "again"));
    const bool before = where == QLatin1String("before");
    (before ? graph.interruptBefore : graph.interruptAfter) = { "b" };
    (before ? graph.interruptIf.before : graph.interruptIf.after) = { { "b", "long enough" } };
    const auto length = [](TaskContext& context) {
        const Value* log = context.input().find("log");
        return log ? log->asList().size() : std::size_t(0);
    };
    EngineThread thread(graph,
                        FunctionNodes({ { "again",
                                          [&](TaskContext& context) {
                                              return returned(Value(length(context) < 6 ? "a" : "__end__"));
                                          } },
                                        { "long enough", [&, from](TaskContext& context) {
                                             return returned(
                                                 Value(length(context) >= static_cast<std::size_t>(from)));
                                         } } }));
    const RunResult first = thread.run("{}");
    QCOMPARE(thread.trace(), firstTrace.toStdString());
    if (from == 99) {
        QCOMPARE(runStatusName(first.status), std::string("done"));
        return;
    }
    QCOMPARE(runStatusName(first.status), std::string("interrupted"));
    while (runStatusName(thread.goOn().status) == "interrupted")
        QVERIFY(!thread.trace().empty()); // it moves on from where it paused
    QCOMPARE(text(thread.state().values["log"]), std::string(R"(["a","b","a","b","a","b"])"));
}

void TestResume::aConditionThatFailsPausesAndSaysSo()
{
    graph::Graph graph = graphFromText("start -> a -> b");
    graph.interruptBefore = { "b" };
    graph.interruptIf.before = { { "b", "broken" } };
    EngineThread thread(graph, FunctionNodes({ { "broken", [](TaskContext&) {
                                                    return test::failedWith("ValueError", "no such thing");
                                                } } }));
    QCOMPARE(runStatusName(thread.run("{}").status), std::string("interrupted"));
    QCOMPARE(thread.trace(), std::string("1 a"));
    QCOMPARE(runStatusName(thread.goOn().status), std::string("done"));
}

void TestResume::goesBackInTime()
{
    EngineThread thread(graphFromText("start -> a -> b"), {});
    thread.run("{}");
    std::vector<CheckpointId> ids; // newest first
    QVERIFY(!thread.engine().history({ { thread.options.thread, "", {} }, {}, {}, {} },
                                     [&ids](const auto& snapshot) {
                                         ids.push_back(*snapshot.config.checkpoint);
                                         return true;
                                     }));
    QCOMPARE(ids.size(), std::size_t(4));
    thread.options.checkpoint = ids[1]; // after a, before b
    const RunResult result = thread.goOn();
    QCOMPARE(thread.trace(), std::string("3 b")); // the fork took a step of its own
    QCOMPARE(text(result.values["log"]), std::string(R"(["a","b"])"));
    QCOMPARE(text(*thread.state().metadata), std::string(R"({"source":"loop","step":3,"parents":{}})"));
}

void TestResume::updatesAState()
{
    EngineThread thread(graphFromText("start -> a -> b -> c"), {});
    thread.options.interruptBefore = { "b" };
    thread.run("{}");
    const auto updated = thread.engine().updateState({ thread.options.thread, "", {} },
                                                     { test::json("{\"log\":[\"mine\"]}"), "b" });
    QVERIFY(std::holds_alternative<SnapshotConfig>(updated));
    const RunResult result = thread.goOn();
    QCOMPARE(thread.trace(), std::string("3 c"));
    QCOMPARE(text(result.values["log"]), std::string(R"(["a","mine","c"])"));
}

void TestResume::saysWhatIsWrongWithAnUpdate_data()
{
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("values");
    QTest::addColumn<QString>("message");
    QTest::newRow("unknown node") << QStringLiteral("z") << QStringLiteral("{}")
                                  << QStringLiteral("Node z does not exist");
    QTest::newRow("no map") << QStringLiteral("a") << QStringLiteral("3")
                            << QStringLiteral("Expected dict, got 3");
    QTest::newRow("two at once") << QString() << QStringLiteral("{}")
                                 << QStringLiteral("Ambiguous update, specify as_node");
    QTest::newRow("no input") << QStringLiteral("__input__") << QStringLiteral("null")
                              << QStringLiteral("Received no input writes for __start__");
}

void TestResume::saysWhatIsWrongWithAnUpdate()
{
    QFETCH(QString, node);
    QFETCH(QString, values);
    QFETCH(QString, message);
    EngineThread thread(graphFromText("start -> a; start -> b"), {});
    thread.run("{}");
    StateUpdate update{ test::json(values.toStdString()), {} };
    if (!node.isEmpty())
        update.asNode = node.toStdString();
    const auto updated = thread.engine().updateState({ thread.options.thread, "", {} }, update);
    const Failure* error = errorOf(updated);
    QVERIFY(error != nullptr);
    QCOMPARE(error->message.substr(0, error->message.find('\n')), message.toStdString());
}

void TestResume::listsItsHistory()
{
    EngineThread thread(graphFromText("start -> a -> b"), {});
    thread.run("{}");
    std::string steps;
    HistoryQuery query{ { thread.options.thread, "", {} }, {}, 3, {} };
    query.metadataFilter = { { "source", "loop" } };
    QVERIFY(!thread.engine().history(query, [&steps](const StateSnapshot& snapshot) {
        steps += std::to_string((*snapshot.metadata).intOr("step", -9));
        for (const StateTask& task : snapshot.tasks)
            steps += " " + task.name.value + text(task.result.value_or(Value()));
        steps += "\n";
        return true;
    }));
    QCOMPARE(steps, std::string("2\n1 b{\"log\":[\"b\"]}\n0 a{\"log\":[\"a\"]}\n"));
}

void TestResume::aKilledRunGoesOn_data()
{
    QTest::addColumn<int>("durability");
    QTest::addColumn<bool>("blocking");
    QTest::newRow("sync") << int(Durability::Sync) << false;
    QTest::newRow("sync, blocking nodes") << int(Durability::Sync) << true;
    QTest::newRow("async, blocking nodes") << int(Durability::Async) << true;
}

namespace {

// Until another reader of the file sees what the task wrote.
void waitForWritesOf(checkpoint::CheckpointStore& store, const std::string& path)
{
    (void)test::waitFor([&] {
        const auto newest = store.get(ThreadId("t"), "", std::nullopt);
        return newest && *newest && std::ranges::any_of((*newest)->writes, [&path](const auto& write) {
                   return write.taskPath == path;
               });
    });
}

} // namespace

// The child is killed inside c, beside which b has finished; the parent goes on with the same file.
void TestResume::aKilledRunGoesOn()
{
    QFETCH(int, durability);
    QFETCH(bool, blocking);
    const graph::Graph graph = graphFromText("start -> a; a -> b -> d; a -> c -> d");
    const test::TempDir folder;
    const auto open = [&folder] {
        auto store = checkpoint::openSqliteCheckpointStore(folder / "c.sqlite");
        if (!store)
            qFatal("%s", store.error().message.c_str());
        return *std::move(store);
    };
    const pid_t child = fork();
    if (child == 0) {
        FunctionNodes nodes({ { "c", [&open, durability](TaskContext&) -> NodeOutcome {
                                   if (durability == int(Durability::Async)) // b's writes are on their way
                                       waitForWritesOf(*open(), "~__pregel_pull, b");
                                   kill(getpid(), SIGKILL);
                                   return returned(Value());
                               } } });
        nodes.blocking = blocking;
        const auto store = open();
        EngineThread thread(graph, nodes, store.get());
        thread.options.durability = static_cast<Durability>(durability);
        thread.options.inlineTasks = true; // b before c
        thread.run("{}");
        _exit(1);
    }
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);

    const auto store = open();
    EngineThread thread(graph, {}, store.get());
    const RunResult result = thread.goOn();
    QCOMPARE(result.error, std::string());
    QCOMPARE(thread.trace(), std::string(blocking ? "2 c; 3 d" : "2 b c; 3 d"));
    QCOMPARE(text(result.values["log"]), std::string(R"(["a","b","c","d"])"));
}

// Both nodes fail; the first one's handler has finished when the process is killed inside the second's.
void TestResume::aKilledHandlerGoesOn()
{
    graph::Graph graph = graphFromText("start -> a; start -> b");
    for (graph::Node& node : graph.nodes)
        node.errorHandler = Value::map({ { "function", "handler of " + node.name.value } });
    const auto fail = [](TaskContext&) { return test::failedWith("ValueError", "it's broken"); };
    const auto handle = [](const TaskContext& context) {
        return returned(Value::map({ { "log", Value::list({ context.input()["error"] }) } }));
    };
    FunctionNodes nodes(
        { { "a", fail }, { "b", fail }, { "handler of a", handle }, { "handler of b", handle } });
    nodes.blocking = true; // what the first did is stored at once
    const test::TempDir folder;
    const pid_t child = fork();
    if (child == 0) {
        nodes.functions()["handler of b"] = [](TaskContext&) -> NodeOutcome {
            kill(getpid(), SIGKILL);
            return returned(Value());
        };
        auto store = checkpoint::openSqliteCheckpointStore(folder / "c.sqlite");
        EngineThread thread(graph, nodes, store ? store->get() : nullptr);
        thread.options.durability = Durability::Sync;
        thread.options.inlineTasks = true;
        thread.run("{}");
        _exit(1);
    }
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);

    auto store = checkpoint::openSqliteCheckpointStore(folder / "c.sqlite");
    QVERIFY(bool(store));
    EngineThread thread(graph, nodes, store->get());
    const RunResult result = thread.goOn();
    QCOMPARE(thread.trace(), std::string("1 __error_handler__b"));
    QCOMPARE(text(result.values["log"][0]),
             std::string(R"({"node":"a","type":"ValueError","message":"it's broken"})"));
    QCOMPARE(text(result.values["log"][1]),
             std::string(R"({"node":"b","type":"ValueError","message":"it's broken"})"));
}

void TestResume::storesNothingTwice()
{
    const test::TempDir folder;
    auto store = checkpoint::openSqliteCheckpointStore(folder / "c.sqlite");
    QVERIFY(bool(store));
    EngineThread thread(graphFromText("start -> a -> b -> c"), {}, store->get());
    for (const Durability durability : { Durability::Sync, Durability::Async, Durability::Exit }) {
        thread.options.thread = ThreadId("t" + std::to_string(int(durability)));
        thread.options.durability = durability;
        thread.run("{}");
        std::vector<std::int64_t> steps;
        checkpoint::CheckpointQuery query;
        query.thread = thread.options.thread;
        QVERIFY(bool((*store)->list(query, [&steps](const checkpoint::CheckpointRecord& record) {
            steps.push_back(record.metadata.step);
            return true;
        })));
        const std::vector<std::int64_t> all{ 3, 2, 1, 0, -1 };
        QCOMPARE(steps, durability == Durability::Exit ? std::vector<std::int64_t>{ 3 } : all);
    }
}

namespace {

class FullDisk final : public checkpoint::CheckpointStore {
public:
    using Record = checkpoint::CheckpointRecord;
    Result<std::optional<Record>> get(const ThreadId& thread, const std::string& ns,
                                      const std::optional<CheckpointId>& id) override
    {
        return m_store->get(thread, ns, id);
    }
    Result<void> list(const checkpoint::CheckpointQuery& query,
                      const std::function<bool(const Record&)>& visit) override
    {
        return m_store->list(query, visit);
    }
    Result<std::vector<checkpoint::ThreadSummary>> threads() override { return m_store->threads(); }
    Result<void> putEncoded(const checkpoint::CheckpointRef&, const std::optional<CheckpointId>&,
                            const checkpoint::EncodedCheckpoint&) override
    {
        return Error{ Errc::NoSpace, "write c.sqlite: the disk is full" };
    }
    Result<void> putWrites(const checkpoint::CheckpointRef& ref,
                           const std::vector<checkpoint::PendingWrite>& writes) override
    {
        return m_store->putWrites(ref, writes);
    }
    Result<void> putTask(const checkpoint::CheckpointRef& ref, const checkpoint::NewWrites& task) override
    {
        return m_store->putTask(ref, task);
    }
    Result<void> putRecord(const Record& record) override { return m_store->putRecord(record); }
    Result<void> deleteThread(const ThreadId& thread) override { return m_store->deleteThread(thread); }
    Result<void> together(const std::function<Result<void>()>& work) override { return work(); }
    checkpoint::RunLog& runLog() override { return m_store->runLog(); }

private:
    std::unique_ptr<checkpoint::CheckpointStore> m_store = checkpoint::makeMemoryCheckpointStore();
};

} // namespace

void TestResume::reportsAStoreThatFails()
{
    FullDisk store;
    EngineThread thread(graphFromText("start -> a"), {}, &store);
    const RunResult result = thread.run("{}");
    QCOMPARE(runStatusName(result.status), std::string("failed"));
    QCOMPARE(result.errorType, std::string("CheckpointError"));
    QVERIFY2(result.error.find("the disk is full") != std::string::npos, result.error.c_str());
}

SG_TEST(TestResume)
#include "tst_resume.moc"
