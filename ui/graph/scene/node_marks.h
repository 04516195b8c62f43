#pragma once

#include "core/graph/graph_file.h"
#include "ui/graph/scene/graph_scene.h"

namespace sg::ui {

// Adds what the graph file itself says to the states of a run: breakpoints, and problems as badges. Of
// several problems of one node the first error is shown, else the first warning.
void addMarks(NodeStates& states, const graph::Graph& graph, const std::vector<graph::Problem>& problems);

// The node that a problem is about, by its JSON pointer; empty where it is about none.
NodeId nodeOf(const graph::Problem& problem, const graph::Graph& graph);

} // namespace sg::ui
