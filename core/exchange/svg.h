#pragma once

#include "core/graph/graph.h"

#include <string>

namespace sg::exchange {

// A document of its own: no fonts, styles or scripts from elsewhere.
std::string svg(const graph::Graph& graph);

} // namespace sg::exchange
