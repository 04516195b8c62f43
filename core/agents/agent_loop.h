#pragma once

#include "core/agents/agent_messages.h"
#include "core/engine/node_body.h"
#include "core/graph/graph.h"

#include <array>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>

// The loop of an agent as LangChain's create_agent lays it out: a graph of the nodes "model" and "tools".
namespace sg::agents {

// Kinds of the loop's nodes and branches, in files unknown: "part" in their settings says which one it is.
inline constexpr std::string_view kLoopKind = "agent.loop";
inline constexpr std::string_view kPartKey = "part";
inline constexpr std::string_view kAgentKey = "agent"; // which agent of the catalog it belongs to
inline constexpr std::string_view kEditsChannel = "hitl_edited_tool_calls";

enum class LoopPart { Model, Tools, Review, AfterModel, AfterTools };
inline constexpr std::array kLoopParts{ LoopPart::Model, LoopPart::Tools, LoopPart::Review,
                                        LoopPart::AfterModel, LoopPart::AfterTools };
std::string_view loopPartName(LoopPart part);

struct LoopShape {
    bool hasTools = true;
    bool isReviewed = false;
    std::string outputTool; // the tool by which the model gives its structured answer; empty: none
};
// `agent` stands in the settings of each of its parts.
std::shared_ptr<const graph::Graph> loopGraph(const LoopShape& shape, const std::string& agent);

// Returns where the loop goes after the model, or after the review: Sends to "tools", "model" or the end.
Value afterModel(const Value& state, const LoopShape& shape);
// Tells of a tool, by its name, whether it exists, and whether its result ends the loop.
struct ToolFacts {
    std::function<bool(const std::string& tool)> isKnown;
    std::function<bool(const std::string& tool)> returnsDirectly;
};
// Returns where the loop goes after a superstep of tools.
Value afterTools(const Value& state, const LoopShape& shape, const ToolFacts& tools);

} // namespace sg::agents
