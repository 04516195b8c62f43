#pragma once

#include "core/agents/tool_source.h"
#include "core/nodes/agent_results.h"
#include "core/nodes/agent_settings.h"

#include <memory>

namespace sg::nodes {

// Another graph as a tool: its input is the arguments, its output the result. It runs below the call's task,
// so that its steps are stored, shown, interrupted and resumed as those of a subgraph. `tools`: the agent's
// subgraph, see graph::withIncludedGraphs().
std::unique_ptr<agents::ToolSource> makeGraphTool(std::shared_ptr<const AgentResults> results,
                                                  const ToolEntry& entry, const graph::Graph* tools);

} // namespace sg::nodes
