#include "core/base/hash.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/engine/steps/apply_writes.h"
#include "core/engine/steps/plan.h"
#include "core/engine/steps/task_ids.h"
#include "tests/core/engine/engine_thread.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::engine;

// Planning and folding by themselves: functions of a state.
class TestSuperstep : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void startsWithTheInput();
    void plansInTheOrderOfNames();
    void plansInDeclarationOrderWithoutUpdates();
    void sendsComeFirst();
    void sortsWritesByPathNotByArrival();
    void clearsWhatNobodyWrote();
    void waitsForAllStarts();
    void finishesDeferredNodesLast();
    void ignoresUnknownChannels();
    void readingLeavesVersionsAlone();
    void idsAreLangGraphs();

private:
    void compile(const graph::Graph& graph);
    std::string input(std::string_view text);
    std::string step(std::vector<std::pair<std::string, Writes>> tasks);
    [[nodiscard]] std::string next(bool all = false) const;
    [[nodiscard]] Write to(const std::string& channel, Value value = {}) const;

    test::FunctionNodes m_nodes;
    test::CountingRandom m_random;
    std::optional<Program> m_program;
    std::optional<GraphState> m_state;
    std::optional<ChannelSet> m_updated;
};

void TestSuperstep::init()
{
    compile(test::graphFromText("start -> b -> end; start -> a -> end"));
}

void TestSuperstep::compile(const graph::Graph& graph)
{
    auto program = engine::compile(graph, m_nodes);
    QVERIFY(bool(program));
    m_program = *std::move(program);
    m_state.emplace(m_program->graph(), m_random);
    m_updated.emplace(m_program->graph().channels.size());
}

Write TestSuperstep::to(const std::string& channel, Value value) const
{
    return namedWrite(m_program->graph(), channel, std::move(value));
}

std::string TestSuperstep::input(std::string_view text)
{
    Writes writes{ to("__start__", test::json(text)) };
    AppliedTask task{ {}, -1, Triggered::No, &writes };
    const VersionSource versions(&m_random);
    m_updated->clear();
    if (auto error = applyWrites(*m_state, { &task, 1 }, &versions, *m_updated))
        return error->type;
    return next();
}

std::string TestSuperstep::step(std::vector<std::pair<std::string, Writes>> tasks)
{
    std::vector<AppliedTask> applied;
    for (auto& [node, writes] : tasks) {
        const std::int32_t index = *m_program->graph().findNode(node);
        applied.push_back({ { TaskPath::Kind::Pull, 0, index, false }, index, Triggered::ByNode, &writes });
    }
    const VersionSource versions(&m_random);
    m_updated->clear();
    if (auto error = applyWrites(*m_state, applied, &versions, *m_updated))
        return error->type;
    return next();
}

std::string TestSuperstep::next(bool all) const
{
    std::string out;
    for (const Task& task : planTasks(*m_state, { 1, 10 }, all ? nullptr : &*m_updated))
        out += (out.empty() ? "" : " ") + m_program->graph().node(task.node).name.value;
    return out;
}

void TestSuperstep::startsWithTheInput()
{
    QCOMPARE(next(), std::string());
    QCOMPARE(input("{\"x\":1}"), std::string("__start__"));
    QCOMPARE(toJson(planTasks(*m_state, { -1, 10 }, &*m_updated).front().input), std::string("{\"x\":1}"));
}

void TestSuperstep::plansInTheOrderOfNames()
{
    input("{}");
    QCOMPARE(step({ { "__start__", { to("branch:to:b"), to("branch:to:a") } } }), std::string("a b"));
}

void TestSuperstep::plansInDeclarationOrderWithoutUpdates()
{
    input("{}");
    step({ { "__start__", { to("branch:to:b"), to("branch:to:a") } } });
    QCOMPARE(next(true), std::string("b a"));
}

void TestSuperstep::sendsComeFirst()
{
    input("{}");
    const Value packet = checkpoint::makeSend("b", test::json("{\"i\":7}"));
    const Value lost = checkpoint::makeSend("nowhere", Value());
    QCOMPARE(step({ { "__start__",
                      { to("branch:to:a"), to("__pregel_tasks", packet), to("__pregel_tasks", lost),
                        to("__pregel_tasks", packet) } } }),
             std::string("b b a"));
    const auto tasks = planTasks(*m_state, { 1, 10 }, &*m_updated);
    QCOMPARE(toJson(tasks[0].input), std::string("{\"i\":7}"));
    QCOMPARE(tasks[1].path.text(m_program->graph()), std::string("~__pregel_push, 0000000002, 0000000000"));
}

void TestSuperstep::sortsWritesByPathNotByArrival()
{
    input("{}");
    step({ { "__start__", { to("branch:to:b"), to("branch:to:a") } } });
    step({ { "b", { to("log", test::json("[\"b\"]")) } }, { "a", { to("log", test::json("[\"a\"]")) } } });
    QCOMPARE(toJson(m_state->values(m_program->graph().output)), std::string(R"({"log":["a","b"],"n":0})"));
}

void TestSuperstep::clearsWhatNobodyWrote()
{
    input("{}");
    step({ { "__start__", { to("branch:to:a") } } });
    QCOMPARE(step({ { "a", {} } }), std::string());
    QVERIFY(!m_state->channel(*m_program->graph().findChannel("branch:to:a")).available());
    QCOMPARE(m_state->version(*m_program->graph().findChannel("branch:to:a")).number, std::int64_t(3));
    QCOMPARE(m_state->version(*m_program->graph().findChannel("__start__")).number, std::int64_t(2));
}

void TestSuperstep::waitsForAllStarts()
{
    compile(test::graphFromText("start -> a -> c; start -> b; [c, b] -> d"));
    input("{}");
    QCOMPARE(step({ { "__start__", { to("branch:to:a"), to("branch:to:b") } } }), std::string("a b"));
    QCOMPARE(step({ { "a", { to("branch:to:c") } }, { "b", { to("join:c+b:d", "b") } } }), std::string("c"));
    QCOMPARE(step({ { "c", { to("join:c+b:d", "c") } } }), std::string("d"));
    QCOMPARE(step({ { "d", {} } }), std::string());
}

void TestSuperstep::finishesDeferredNodesLast()
{
    graph::Graph graph = test::graphFromText("start -> a -> b; start -> last");
    graph.nodes[2].defer = true;
    compile(graph);
    input("{}");
    QCOMPARE(step({ { "__start__", { to("branch:to:a"), to("branch:to:last") } } }), std::string("a"));
    QCOMPARE(step({ { "a", { to("branch:to:b") } } }), std::string("b"));
    QCOMPARE(step({ { "b", {} } }), std::string("last"));
    QCOMPARE(step({ { "last", {} } }), std::string());
}

void TestSuperstep::ignoresUnknownChannels()
{
    input("{}");
    QCOMPARE(step({ { "__start__", { to("branch:to:nowhere"), to("branch:to:a") } } }), std::string("a"));
}

void TestSuperstep::readingLeavesVersionsAlone()
{
    input("{\"x\":1}");
    const ValueMap before = m_state->channelVersions();
    Writes writes{ to("x", 5) };
    AppliedTask task{ { TaskPath::Kind::Pull, 0, 0, false }, 0, Triggered::ByNode, &writes };
    ChannelSet updated(m_program->graph().channels.size());
    QVERIFY(!applyWrites(*m_state, { &task, 1 }, nullptr, updated));
    QVERIFY(m_state->channelVersions() == before);
    QVERIFY(updated.empty());
    QCOMPARE(toJson(m_state->values(m_program->graph().output)["x"]), std::string("5"));
}

void TestSuperstep::idsAreLangGraphs()
{
    const CheckpointId checkpoint("1f0c6a7e-2d9b-6f4e-8001-9b3a6d2c1e0f");
    const TaskIds ids(checkpoint, 4, "", 1);
    Task task;
    task.node = *m_program->graph().findNode("a");
    task.path = { TaskPath::Kind::Pull, 0, task.node, false };
    std::string bytes("\x1f\x0c\x6a\x7e\x2d\x9b\x6f\x4e\x80\x01\x9b\x3a\x6d\x2c\x1e\x0f", 16);
    const std::string hex = xxh3Hex(bytes + "a1a__pregel_pullbranch:to:a");
    std::string plain = ids.of(m_program->graph(), task);
    std::erase(plain, '-');
    QCOMPARE(plain, hex);
    QCOMPARE(plainNamespace("a:1|2|b:3"), std::string("a|b"));
    QCOMPARE(ownNamespace("a:1|2|b:3"), std::string("a|2|b"));
    QCOMPARE(parentNamespace("a:1|2|b:3|4"), std::string("a:1"));
    QCOMPARE(parentNamespace("a:1"), std::string());
    QVERIFY(interruptId("a:1", 0) != interruptId("a:1", 1));
}

SG_TEST(TestSuperstep)
#include "tst_superstep.moc"
