#pragma once

#include "core/graph/graph.h"

#include <string>

namespace sg::exchange {

// Draws branches dotted with their labels, and waiting edges through a small circle.
std::string mermaid(const graph::Graph& graph);

} // namespace sg::exchange
