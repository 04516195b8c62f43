#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

// Parts of a graph as text, in the form of a graph file: to be pasted here, into another window or an editor.
namespace sg::ui {

// The nodes with the edges and branches between them, and their places.
std::string textOfNodes(const graph::Graph& graph, const std::vector<NodeId>& nodes);

// Adds what the text holds, under free names, `offset` away from where it stood, or a multiple of it where a
// node stands there already. Its channels too, where the graph has none of that name. Nothing happens where
// the text is no graph. Answers the new nodes.
std::vector<NodeId> pasteNodes(graph::Graph& graph, const std::string& text, const graph::Position& offset);

// The same within a graph, without text; copies have sessions of their own where their originals have.
std::vector<NodeId> duplicateNodes(graph::Graph& graph, const std::vector<NodeId>& nodes,
                                   const graph::Position& offset);

} // namespace sg::ui
