#pragma once

#include "core/graph/graph.h"

#include <string>

namespace sg::exchange {

// Branches dotted with their labels, waiting edges through a small circle.
std::string mermaid(const graph::Graph& graph);

} // namespace sg::exchange
