#pragma once

#include "core/graph/graph.h"
#include "core/graph/reading.h"

// A Graph as the JSON value of its file, and back.
namespace sg::graph {

void readGraph(const ValueMap& object, const Place& place, Reading& reading, Graph& graph);

// The object that was read (`source`) with what has changed since laid over it.
// A root graph always says its "format"; a nested one keeps what it said.
enum class GraphRole { Root, Nested };
Value graphValue(const Graph& graph, GraphRole role = GraphRole::Root);

} // namespace sg::graph
