#pragma once

#include "ui/graph/graph_drawing.h"
#include "ui/graph/layered_layout.h"

namespace sg::ui {

struct DrawingLayout {
    std::vector<LayoutPoint> centres; // of the drawing's nodes
    std::vector<std::vector<LayoutPoint>> bends; // of its edges
};

// Places for all nodes of a drawing. The layered layout, but a node that only leads back (a repair in a loop)
// stands below the part of the graph that it leads back over, between its ends.
// `labelWidth`: of each edge's label in its pill, 0 without one.
DrawingLayout layOutDrawing(const GraphDrawing& drawing, const std::vector<double>& labelWidths);

} // namespace sg::ui
