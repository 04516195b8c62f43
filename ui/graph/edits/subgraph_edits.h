#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

// Nodes into a subgraph and out of it again, as functions on the value. Both leave a graph that does the
// same.
namespace sg::ui {

// Why the nodes cannot become one node, in words; empty: they can. They can where a run enters them at one
// place, and leaves them by edges that all lead to the same nodes.
std::string extractionFault(const graph::Graph& graph, const std::vector<NodeId>& nodes);
NodeId extractNodes(graph::Graph& graph, const std::vector<NodeId>& nodes); // the subgraph's node

// Why a subgraph's nodes cannot stand in its place, in words; empty: they can.
std::string inliningFault(const graph::Graph& graph, const NodeId& node);
std::vector<NodeId> inlineSubgraph(graph::Graph& graph, const NodeId& node); // the nodes that it held

// The graph inside of `path`, a subgraph's node in each; null where one of them is not there.
const graph::Graph* graphAt(const graph::Graph& root, const std::vector<NodeId>& path);

} // namespace sg::ui
