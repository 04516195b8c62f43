#pragma once

#include "core/graph/graph.h"

#include <string>

namespace sg::graph {

// Graphviz source: nodes by name with their kind, branches dashed with labels, waiting edges through a bar.
std::string toDot(const Graph& graph);

} // namespace sg::graph
