#pragma once

#include "core/graph/graph.h"

#include <vector>

namespace sg::graph {

// A node to which a Command of another may lead by its "ends", as drawings show it.
struct CommandEnd {
    NodeId to;
    std::size_t index = 0; // in "ends"
};

// Returns the entries of "ends" in their order, each once, without those to which an edge or a branch of the
// node is drawn anyway. LangGraph draws them as conditional edges, too (StateGraph.add_node, `destinations`).
// Any thread.
std::vector<CommandEnd> commandEnds(const Graph& graph, const Node& node);

// Takes one entry out of "ends"; the key goes with the last.
void removeCommandEnd(Node& node, std::size_t index);

} // namespace sg::graph
