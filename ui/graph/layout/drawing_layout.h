#pragma once

#include "ui/graph/layout/graph_drawing.h"
#include "ui/graph/layout/layered_layout.h"

#include <optional>

namespace sg::ui {

struct DrawingLayout {
    std::vector<LayoutPoint> centres; // of the drawing's nodes
    std::vector<std::vector<LayoutPoint>> bends; // of its edges
};

// Places for all nodes of a drawing. The layered layout, but a node that only leads back (a repair in a loop)
// stands below the part of the graph that it leads back over, between its ends.
// `labelWidth`: of each edge's label in its pill, 0 without one.
DrawingLayout layOutDrawing(const GraphDrawing& drawing, const std::vector<double>& labelWidths);

// Nodes with a place of their own stand there; the others keep their places to each other, as near to those
// as it goes, and what a pinned card would cover goes below it. `pinned`: of the drawing's nodes, as
// `centres`.
void keepPinned(const GraphDrawing& drawing, const std::vector<std::optional<LayoutPoint>>& pinned,
                std::vector<LayoutPoint>& centres);

} // namespace sg::ui
