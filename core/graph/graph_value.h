#pragma once

#include "core/graph/graph.h"
#include "core/graph/reading.h"

// These functions turn a Graph into the JSON value of its file, and back.
namespace sg::graph {

void readGraph(const ValueMap& object, const Place& place, Reading& reading, Graph& graph);

// Returns the object that was read (`source`) with the changes made since. A root graph always has its
// "format"; a nested one only if it was read with it.
enum class GraphRole { Root, Nested };
Value graphValue(const Graph& graph, GraphRole role = GraphRole::Root);

} // namespace sg::graph
