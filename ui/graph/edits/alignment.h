#pragma once

#include "core/graph/graph.h"
#include "ui/graph/layout/graph_drawing.h"

#include <QPointF>

#include <utility>
#include <vector>

namespace sg::ui {

enum class Alignment {
    Left,
    Right,
    Top,
    Bottom,
    Across, // equal distances between the outermost two
    Down,
};
inline constexpr std::size_t kAlignments = 6;

// New places of the named nodes, by the edges of their cards. `centres` belong to the drawing's nodes.
std::vector<std::pair<NodeId, graph::Position>> alignedPlaces(const GraphDrawing& drawing,
                                                              const std::vector<QPointF>& centres,
                                                              const std::vector<NodeId>& nodes,
                                                              Alignment alignment);

} // namespace sg::ui
