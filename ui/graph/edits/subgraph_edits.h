#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

// Moves nodes into a subgraph and out again, as functions on the value. The changed graph does the same as
// before.
namespace sg::ui {

// Returns why the nodes cannot become one node; empty if they can. A run must enter them at one place and
// leave them by edges that all lead to the same nodes.
std::string extractionFault(const graph::Graph& graph, const std::vector<NodeId>& nodes);
NodeId extractNodes(graph::Graph& graph, const std::vector<NodeId>& nodes); // returns the subgraph's node

// Returns why a subgraph cannot be replaced by its nodes; empty if it can.
std::string inliningFault(const graph::Graph& graph, const NodeId& node);
std::vector<NodeId> inlineSubgraph(graph::Graph& graph, const NodeId& node); // returns the nodes that it held

// The graph that `path` leads to, a subgraph's node in each level; null if one of them does not exist.
const graph::Graph* graphAt(const graph::Graph& root, const std::vector<NodeId>& path);

} // namespace sg::ui
