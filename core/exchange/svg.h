#pragma once

#include "core/graph/graph.h"

#include <string>

namespace sg::exchange {

// Returns a complete document: it uses no external fonts, styles or scripts.
std::string svg(const graph::Graph& graph);

} // namespace sg::exchange
