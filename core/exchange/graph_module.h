#pragma once

#include "core/exchange/project_parts.h"
#include "core/graph/graph.h"

#include <string>

namespace sg::exchange {

// Returns the module NAME.py of one graph, after adding modules of its subgraphs to `parts`.
std::string graphModule(const graph::Graph& graph, const std::string& title, bool isRoot,
                        ProjectParts& parts);

// Formats a module's docstring.
std::string docstring(const std::string& text);

} // namespace sg::exchange
