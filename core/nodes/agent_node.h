#pragma once

#include "core/agents/agent_loop.h"
#include "core/nodes/agent_settings.h"
#include "core/nodes/jq_programs.h"
#include "core/nodes/node_catalog.h"

#include <memory>

namespace sg::nodes {

// One agent of a graph: its node runs the loop of agents::loopGraph(), and this executes the loop's parts.
class Agent;

// Errc::InvalidArgument: a setting is wrong.
Result<std::shared_ptr<Agent>> makeAgent(std::shared_ptr<const NodeWorld> world,
                                         std::shared_ptr<JqPrograms> programs, const graph::Node& node);
agents::LoopShape loopShapeOf(const Agent& agent);
// The graphs that it calls as tools, see graph::withIncludedGraphs(); null: none.
std::shared_ptr<const graph::Graph> toolGraphOf(const Agent& agent);
// The node itself, and a part of its loop.
std::unique_ptr<engine::NodeBody> makeAgentBody(std::shared_ptr<Agent> agent);
std::unique_ptr<engine::NodeBody> makeLoopBody(std::shared_ptr<Agent> agent, agents::LoopPart part);

} // namespace sg::nodes
