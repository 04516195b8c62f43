#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

// Parts of a graph as text in the form of a graph file, for pasting here, in another window or in an editor.
namespace sg::ui {

// The text of the nodes with the edges and branches between them, and their places.
std::string textOfNodes(const graph::Graph& graph, const std::vector<NodeId>& nodes);

// Adds the nodes in the text under free names, moved by `offset` or by a multiple of it where a node is there
// already. Channels that the graph does not have are added too. Text that is no graph changes nothing.
// Returns the new nodes.
std::vector<NodeId> pasteNodes(graph::Graph& graph, const std::string& text, const graph::Position& offset);

// Does the same within one graph, without text. A copy gets its own session if its original has one.
std::vector<NodeId> duplicateNodes(graph::Graph& graph, const std::vector<NodeId>& nodes,
                                   const graph::Position& offset);

} // namespace sg::ui
