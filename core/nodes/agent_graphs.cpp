#include "core/nodes/agent_graphs.h"

#include "core/base/json.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/checkpoint/serde/plain_data.h"
#include "core/graph/input_fields.h"
#include "core/models/content_blocks.h"
#include "core/models/json_schema.h"
#include "core/nodes/agent_tools.h"

#include <algorithm>
#include <utility>

namespace sg::nodes {
namespace {

using agents::ToolCall;
using agents::ToolOutcome;
using engine::TaskContext;

// The answer of a graph that talks is its last message.
std::string answerOf(const Value& result)
{
    if (result.isString())
        return result.asString();
    const Value& messages = result["messages"];
    if (messages.isList() && !messages.asList().empty()) {
        const auto message = checkpoint::asMessage(messages.asList().back());
        return models::textOf((message ? *message : messages.asList().back())["content"]);
    }
    return toJson(checkpoint::plain(result));
}

class GraphToolSource final : public agents::ToolSource {
public:
    GraphToolSource(std::shared_ptr<const AgentResults> results, const ToolEntry& entry,
                    const graph::Graph* tools)
        : m_results(std::move(results))
        , m_entry(entry)
        , m_from(std::get<GraphFileTool>(entry.from))
    {
        if (tools == nullptr)
            return;
        const auto node = std::ranges::find(tools->nodes, NodeId(m_from.graph.name), &graph::Node::name);
        if (node != tools->nodes.end())
            m_graph = node->subgraph;
        if (m_graph)
            m_schema = m_from.parameters.isNull() ? checkpoint::plain(graph::inputSchema(*m_graph))
                                                  : m_from.parameters;
    }

    agents::ListedTools list(TaskContext& /*task*/, const std::set<std::string>& /*taken*/) override
    {
        if (!m_graph)
            return engine::failed("ValueError", "the graph file " + m_from.graph.file + " was not read");
        std::string about = m_entry.description.empty() ? m_graph->description : m_entry.description;
        if (about.empty())
            about = "Runs the workflow " + m_from.graph.name + " and returns its result.";
        agents::Tool tool{ m_from.graph.name, std::move(about), m_schema };
        tool.returnsDirectly = m_entry.returnsDirectly.value_or(false);
        return std::vector{ std::move(tool) };
    }

    ToolOutcome call(const ToolCall& call, TaskContext& task) override
    {
        if (const auto why = models::schemaMismatch(m_schema, call.args))
            return agents::ToolResult{ "Error invoking tool '" + call.name + "': its arguments do not match: "
                                           + *why + "\n Please fix the error and try again.",
                                       agents::ToolStatus::Error };
        const auto result = task.runSubgraph(Value::map({ { graph::tool_graph::kTool, m_from.graph.name },
                                                          { graph::tool_graph::kInput, inputOf(call) } }));
        if (result)
            return agents::ToolResult{ m_results->shown(answerOf((*result)[graph::tool_graph::kResult]), call,
                                                        task) };
        if (const engine::Failure* failure = task.subgraphFailure())
            return failedTool(*failure);
        return engine::Interrupted{};
    }

private:
    // Arguments beside the graph's input are dropped, as LangChain does with unknown ones.
    [[nodiscard]] Value inputOf(const ToolCall& call) const
    {
        if (!m_from.parameters.isNull() || !call.args.isMap())
            return call.args;
        ValueMap input;
        for (const auto& [name, value] : call.args.asMap())
            if (name.isString() && m_schema["properties"].find(name.asString()) != nullptr)
                input.set(name.asString(), value);
        return Value(std::move(input));
    }

    const std::shared_ptr<const AgentResults> m_results;
    const ToolEntry m_entry;
    const GraphFileTool m_from;
    std::shared_ptr<const graph::Graph> m_graph; // null: it was not included; constant
    Value m_schema; // constant after construction
};

} // namespace

std::unique_ptr<agents::ToolSource> makeGraphTool(std::shared_ptr<const AgentResults> results,
                                                  const ToolEntry& entry, const graph::Graph* tools)
{
    return std::make_unique<GraphToolSource>(std::move(results), entry, tools);
}

} // namespace sg::nodes
