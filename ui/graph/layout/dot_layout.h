#pragma once

#include "ui/graph/layout/drawing_layout.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What Graphviz's dot reads of a drawing, and what its answer says: functions of their arguments. Nodes go by
// their index, so that no name can be mistaken for dot's language.
namespace sg::ui {

// `labelWidths`: of each edge's label in its pill, 0 without one.
std::string dotInput(const GraphDrawing& drawing, const std::vector<double>& labelWidths);

// Centres of `count` nodes, in scene units, from what `dot -Tplain` wrote; nothing where a node is missing.
std::optional<std::vector<LayoutPoint>> dotPlaces(std::string_view plain, std::size_t count);

} // namespace sg::ui
