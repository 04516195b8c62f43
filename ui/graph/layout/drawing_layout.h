#pragma once

#include "ui/graph/layout/graph_drawing.h"
#include "ui/graph/layout/layered_layout.h"

#include <optional>

namespace sg::ui {

struct DrawingLayout {
    std::vector<LayoutPoint> centres; // of the drawing's nodes
    std::vector<std::vector<LayoutPoint>> bends; // of the drawing's edges
};

// Finds places for all nodes of a drawing by the layered layout, except that a node that only leads back (a
// repair in a loop) is put below the part of the graph that it leads back over.
// `labelWidths` has the width of each edge's pill, 0 for an edge without a label.
DrawingLayout layOutDrawing(const GraphDrawing& drawing, const std::vector<double>& labelWidths);

// Puts pinned nodes at their places. The other nodes keep their places relative to each other, shifted
// towards the pinned ones; a card that would cover another one goes below it. `pinned` and `centres` have an
// entry for each node of the drawing.
void keepPinned(const GraphDrawing& drawing, const std::vector<std::optional<LayoutPoint>>& pinned,
                std::vector<LayoutPoint>& centres);

} // namespace sg::ui
