#pragma once

#include <cstddef>
#include <utility>
#include <vector>

// A layered layout, left to right, without Qt and without chance: the same input gives the same picture.
// 1. Edges that run back are found by a depth-first walk in order of declaration and set aside.
// 2. Columns by longest path. 3. Order within a column by barycentres, keeping the order with the fewest
// crossings. 4. Rows: each node as near to the mean of its neighbours as the spacing allows (exact, by
// pooling).
namespace sg::ui {

struct LayoutNode {
    double width = 0;
    double height = 0;
};

struct LayoutEdge {
    std::size_t from = 0;
    std::size_t to = 0;
    double room = 0; // wanted between the columns beyond the usual: a label, a waiting bar
};

struct LayoutPoint {
    double x = 0;
    double y = 0;
    friend bool operator==(const LayoutPoint&, const LayoutPoint&) = default;
};

struct LayoutSpacing {
    double columnGap = 32; // between the cards of two columns at least
    double row = 76; // between the centres of two cards
    double lane = 24; // beside an edge that passes through a column
};

struct LayoutResult {
    std::vector<LayoutPoint> centres; // of nodes
    std::vector<std::size_t> columns; // of nodes
    std::vector<bool> backward; // of edges: runs against the columns or to its own node
    std::vector<std::vector<LayoutPoint>> bends; // of edges: where it passes the columns between its ends
};

LayoutResult layeredLayout(const std::vector<LayoutNode>& nodes, const std::vector<LayoutEdge>& edges,
                           const LayoutSpacing& spacing = {});

} // namespace sg::ui
