#pragma once

#include "ui/graph/layout/drawing_layout.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Writes the input of Graphviz's dot and reads its answer. Nodes are named by their index, so that no name
// can be mistaken for dot's language.
namespace sg::ui {

// `labelWidths` has the width of each edge's pill, 0 for an edge without a label.
std::string dotInput(const GraphDrawing& drawing, const std::vector<double>& labelWidths);

// The centres of `count` nodes in scene units, read from `dot -Tplain`; nothing if a node is missing.
std::optional<std::vector<LayoutPoint>> dotPlaces(std::string_view plain, std::size_t count);

} // namespace sg::ui
