#pragma once

#include "core/graph/graph_file.h"
#include "ui/graph/scene/graph_scene.h"

namespace sg::ui {

// Adds breakpoints and the problems of the graph file to the states of a run. A node with several problems
// shows its first error, else its first warning.
void addMarks(NodeStates& states, const graph::Graph& graph, const std::vector<graph::Problem>& problems);

// The node that a problem's JSON pointer leads to; empty if there is none.
NodeId nodeOf(const graph::Problem& problem, const graph::Graph& graph);

} // namespace sg::ui
