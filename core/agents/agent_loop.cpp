#include "core/agents/agent_loop.h"

#include "core/checkpoint/serde/langgraph_types.h"
#include "core/engine/names.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sg::agents {
namespace {

constexpr const char* kModel = "model";
constexpr const char* kTools = "tools";
constexpr const char* kReview = "HumanInTheLoopMiddleware.after_model";
constexpr int kRecursionLimit = 9999; // create_agent's

ValueMap partSettings(LoopPart part, const std::string& agent)
{
    return { { kPartKey, loopPartName(part) }, { kAgentKey, agent } };
}

graph::Node partNode(const char* name, LoopPart part, const std::string& agent)
{
    graph::Node node;
    node.name = NodeId(name);
    node.kind = kLoopKind;
    node.settings = partSettings(part, agent);
    return node;
}

graph::Branch partBranch(const char* from, LoopPart part, const std::string& agent)
{
    graph::Branch branch;
    branch.from = NodeId(from);
    branch.settings = partSettings(part, agent);
    return branch;
}

graph::Edge edge(const char* from, const char* to)
{
    graph::Edge made;
    made.from = { NodeId(from) };
    made.to = NodeId(to);
    return made;
}

graph::Channel channel(std::string_view name, graph::ChannelType type)
{
    graph::Channel made;
    made.name = name;
    made.type = type;
    return made;
}

} // namespace

std::string_view loopPartName(LoopPart part)
{
    switch (part) {
    case LoopPart::Model: return "model";
    case LoopPart::Tools: return "tools";
    case LoopPart::Review: return "review";
    case LoopPart::AfterModel: return "after model";
    case LoopPart::AfterTools: return "after tools";
    }
    return {};
}

std::shared_ptr<const graph::Graph> loopGraph(const LoopShape& shape, const std::string& agent)
{
    auto made = std::make_shared<graph::Graph>();
    made->name = "agent";
    made->recursionLimit = kRecursionLimit;
    if (shape.isReviewed)
        made->channels.push_back(channel(kEditsChannel, graph::ChannelType::LastValue));
    graph::Channel messages = channel("messages", graph::ChannelType::Reduce);
    messages.reducer = graph::Reducer::AddMessages;
    made->channels.push_back(std::move(messages));
    made->channels.push_back(channel("jump_to", graph::ChannelType::Ephemeral));
    made->channels.push_back(channel("structured_response", graph::ChannelType::LastValue));
    made->input = { "messages" };
    made->output = { "messages", "structured_response" };

    made->nodes.push_back(partNode(kModel, LoopPart::Model, agent));
    made->edges.push_back(edge(graph::kStart, kModel));
    if (shape.hasTools) {
        made->nodes.push_back(partNode(kTools, LoopPart::Tools, agent));
        made->branches.push_back(partBranch(kTools, LoopPart::AfterTools, agent));
    }
    if (shape.isReviewed) {
        made->nodes.push_back(partNode(kReview, LoopPart::Review, agent));
        made->edges.push_back(edge(kModel, kReview));
    }
    if (shape.hasTools || !shape.outputTool.empty())
        made->branches.push_back(
            partBranch(shape.isReviewed ? kReview : kModel, LoopPart::AfterModel, agent));
    return made;
}

Value afterModel(const Value& state, const LoopShape& shape)
{
    const bool hasAnswer = !state["structured_response"].isNull();
    if (!shape.hasTools) // nothing but the structured answer is called
        return hasAnswer ? Value(engine::kEndNode) : Value(kModel);
    const LastTurn turn = lastTurn(messagesOf(state));
    if (turn.ai.isNull() || turn.calls.empty())
        return engine::kEndNode;
    ValueList sends;
    for (const Value& call : turn.calls) {
        const std::string id = call.stringOr("id", "");
        const bool isAnswered = std::ranges::any_of(
            turn.tools, [&id](const Value& message) { return message.stringOr("tool_call_id", "") == id; });
        if (!isAnswered && (shape.outputTool.empty() || call.stringOr("name", "") != shape.outputTool))
            sends.push_back(checkpoint::makeSend(kTools, Value::list({ call })));
    }
    if (!sends.empty())
        return Value(std::move(sends));
    return hasAnswer ? Value(engine::kEndNode) : Value(kModel);
}

Value afterTools(const Value& state, const LoopShape& shape, const ToolFacts& tools)
{
    const LastTurn turn = lastTurn(messagesOf(state));
    if (turn.ai.isNull())
        return kModel;
    std::map<std::string, std::string> executed; // by id of the call: a reviewer may have chosen another tool
    for (const Value& message : turn.tools)
        if (const std::string name = message.stringOr("name", ""); tools.isKnown(name))
            executed[message.stringOr("tool_call_id", "")] = name;
    std::size_t known = 0;
    bool areAllDirect = true;
    for (const Value& call : turn.calls) {
        const auto ran = executed.find(call.stringOr("id", ""));
        const std::string name = ran != executed.end() ? ran->second : call.stringOr("name", "");
        if (!tools.isKnown(name))
            continue;
        ++known;
        areAllDirect = areAllDirect && tools.returnsDirectly(name);
    }
    if (known > 0 && areAllDirect)
        return engine::kEndNode;
    const bool isAnswered =
        !shape.outputTool.empty() && std::ranges::any_of(turn.tools, [&shape](const Value& message) {
            return message.stringOr("name", "") == shape.outputTool
                && message.stringOr("status", "") != "error";
        });
    return isAnswered ? Value(engine::kEndNode) : Value(kModel);
}

} // namespace sg::agents
