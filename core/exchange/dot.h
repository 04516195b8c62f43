#pragma once

#include "core/graph/graph.h"

#include <string>

namespace sg::exchange {

// Returns Graphviz source: nodes by name with kind, dashed branches with labels, dotted
// lines where a Command may go, waiting edges through a bar.
std::string toDot(const graph::Graph& graph);

} // namespace sg::exchange
