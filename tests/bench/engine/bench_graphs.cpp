#include "tests/bench/engine/bench_graphs.h"

#include "core/checkpoint/serde/langgraph_types.h"
#include "core/expressions/jq_evaluator.h"

#include <cstdio>

namespace sg::bench {
namespace {

class FunctionBody final : public engine::NodeBody {
public:
    FunctionBody(Function function, bool mayBlock)
        : m_function(std::move(function))
        , m_mayBlock(mayBlock)
    {
    }
    [[nodiscard]] bool mayBlock() const override { return m_mayBlock; }
    engine::NodeOutcome run(engine::TaskContext& context) override
    {
        return engine::Returned{ m_function(context.input()) };
    }

private:
    Function m_function;
    const bool m_mayBlock;
};

graph::Channel channel(std::string name, graph::ChannelType type = graph::ChannelType::LastValue,
                       graph::Reducer reducer = graph::Reducer::Last)
{
    graph::Channel out;
    out.name = std::move(name);
    out.type = type;
    out.reducer = reducer;
    return out;
}

void addNode(Workflow& workflow, std::string name, Function function)
{
    graph::Node node;
    node.name = NodeId(name);
    workflow.graph.nodes.push_back(std::move(node));
    workflow.nodes.functions[std::move(name)] = std::move(function);
}

void addEdge(Workflow& workflow, std::string from, std::string to)
{
    workflow.graph.edges.push_back({ { NodeId(std::move(from)) }, NodeId(std::move(to)), false });
}

void addBranch(Workflow& workflow, std::string from, std::vector<std::string> targets, Function function)
{
    graph::Branch branch;
    branch.from = NodeId(from);
    branch.settings.set("function", Value("branch of " + from));
    branch.targets.emplace();
    for (const std::string& target : targets)
        branch.targets->emplace_back(target, NodeId(target));
    workflow.graph.branches.push_back(std::move(branch));
    workflow.nodes.functions["branch of " + from] = std::move(function);
}

// Again until the limit, which `size` reads from the state.
Function loop(std::string node, std::int64_t limit, std::function<std::int64_t(const Value&)> size)
{
    return [again = Value(std::move(node)), over = Value(graph::kEnd), limit,
            size = std::move(size)](const Value& state) { return size(state) < limit ? again : over; };
}

} // namespace

Result<std::unique_ptr<engine::NodeBody>> Functions::makeNode(const graph::Node& node)
{
    std::unique_ptr<engine::NodeBody> body =
        std::make_unique<FunctionBody>(functions.at(node.name.value), mayBlock);
    return body;
}

Result<std::unique_ptr<engine::NodeBody>> Functions::makeBranch(const graph::Branch& branch)
{
    std::unique_ptr<engine::NodeBody> body = std::make_unique<FunctionBody>(
        functions.at(Value(branch.settings).stringOr("function", "")), mayBlock);
    return body;
}

Result<std::unique_ptr<engine::NodeBody>> Functions::makeErrorHandler(const graph::Node& node)
{
    return makeNode(node);
}

Workflow counterWorkflow(std::int64_t limit)
{
    Workflow workflow;
    workflow.graph.channels = { channel("count") };
    const Value key("count");
    addNode(workflow, "inc", [key](const Value& state) {
        return Value(ValueMap{ { key, Value(state["count"].asInt() + 1) } });
    });
    addEdge(workflow, graph::kStart, "inc");
    addBranch(workflow, "inc", { "inc", graph::kEnd },
              loop("inc", limit, [](const Value& state) { return state["count"].asInt(); }));
    return workflow;
}

Workflow jqCounterWorkflow(std::int64_t limit, const std::string& helper)
{
    Workflow workflow = counterWorkflow(limit);
    const std::shared_ptr<expressions::JqEvaluator> programs = expressions::makeJqProcess(
        { "{count: (.count + 1)}",
          "if .count < " + std::to_string(limit) + " then \"inc\" else \"__end__\" end" },
        helper);
    const auto program = [programs](std::size_t index) {
        return [programs, index](const Value& state) {
            const auto outputs = programs->evaluate(index, state);
            return outputs ? outputs->front() : Value(outputs.error().message);
        };
    };
    workflow.nodes.functions["inc"] = program(0);
    workflow.nodes.functions["branch of inc"] = program(1);
    workflow.nodes.mayBlock = true;
    return workflow;
}

Workflow chainWorkflow()
{
    Workflow workflow;
    workflow.graph.channels = { channel("x") };
    const Value key("x");
    addNode(workflow, "inc", [key](const Value& state) {
        return Value(ValueMap{ { key, Value(state["x"].asInt() + 1) } });
    });
    addNode(workflow, "dbl", [key](const Value& state) {
        return Value(ValueMap{ { key, Value(state["x"].asInt() * 2) } });
    });
    addEdge(workflow, graph::kStart, "inc");
    addEdge(workflow, "inc", "dbl");
    addEdge(workflow, "dbl", graph::kEnd);
    return workflow;
}

Workflow fanOutWorkflow()
{
    Workflow workflow;
    workflow.graph.channels = { channel("out", graph::ChannelType::Reduce, graph::Reducer::Append) };
    const Value key("out");
    addNode(workflow, "fan", [](const Value&) { return Value(ValueMap()); });
    addNode(workflow, "work", [key](const Value& packet) {
        return Value(ValueMap{ { key, Value::list({ packet["i"] }) } });
    });
    addEdge(workflow, graph::kStart, "fan");
    addEdge(workflow, "work", graph::kEnd);
    addBranch(workflow, "fan", { "work" }, [](const Value&) {
        ValueList sends;
        for (int i = 0; i < kWidth; ++i)
            sends.push_back(checkpoint::makeSend("work", Value(ValueMap{ { "i", i } })));
        return Value(std::move(sends));
    });
    return workflow;
}

Workflow growingWorkflow(std::int64_t limit, bool asChanges)
{
    Workflow workflow;
    workflow.graph.channels = { channel("messages",
                                        asChanges ? graph::ChannelType::Delta : graph::ChannelType::Reduce,
                                        graph::Reducer::Append) };
    const Value key("messages");
    addNode(workflow, "msg", [key](const Value& state) {
        char number[16];
        std::snprintf(number, sizeof number, "%06zu", state["messages"].asList().size());
        return Value(ValueMap{ { key, Value::list({ Value(number + std::string(494, 'm')) }) } });
    });
    addEdge(workflow, graph::kStart, "msg");
    addBranch(workflow, "msg", { "msg", graph::kEnd }, loop("msg", limit, [](const Value& state) {
                  return static_cast<std::int64_t>(state["messages"].asList().size());
              }));
    return workflow;
}

Workflow layeredWorkflow(std::int64_t nodes)
{
    Workflow workflow;
    workflow.graph.channels = { channel("sum", graph::ChannelType::Reduce, graph::Reducer::Add) };
    const Value one(ValueMap{ { "sum", 1 } });
    const std::int64_t layers = nodes / kWidth;
    const auto name = [](std::int64_t layer, int place) {
        return "n" + std::to_string(layer) + "_" + std::to_string(place % kWidth);
    };
    for (std::int64_t layer = 0; layer < layers; ++layer)
        for (int place = 0; place < kWidth; ++place)
            addNode(workflow, name(layer, place), [one](const Value&) { return one; });
    for (int place = 0; place < kWidth; ++place) {
        addEdge(workflow, graph::kStart, name(0, place));
        addEdge(workflow, name(layers - 1, place), graph::kEnd);
    }
    for (std::int64_t layer = 1; layer < layers; ++layer)
        for (int place = 0; place < kWidth; ++place)
            workflow.graph.edges.push_back(
                { { NodeId(name(layer - 1, place)), NodeId(name(layer - 1, place + 1)),
                    NodeId(name(layer - 1, place + 2)) },
                  NodeId(name(layer, place)),
                  true });
    return workflow;
}

} // namespace sg::bench
