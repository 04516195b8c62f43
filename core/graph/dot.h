#pragma once

#include "core/graph/graph.h"

#include <string>

namespace sg::graph {

// Returns Graphviz source: nodes by name with kind, dashed branches with labels, waiting edges through a bar.
std::string toDot(const Graph& graph);

} // namespace sg::graph
