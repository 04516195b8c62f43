#pragma once

#include "core/exchange/project_parts.h"
#include "core/graph/graph.h"

#include <string>

namespace sg::exchange {

// The module NAME.py of one graph; modules of its subgraphs are added to `parts` first.
std::string graphModule(const graph::Graph& graph, const std::string& title, bool isRoot,
                        ProjectParts& parts);

// A module's docstring.
std::string docstring(const std::string& text);

} // namespace sg::exchange
