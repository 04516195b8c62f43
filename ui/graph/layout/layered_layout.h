#pragma once

#include <cstddef>
#include <utility>
#include <vector>

// A layered layout from left to right, deterministic and without Qt.
// 1. A depth-first walk in order of declaration finds backward edges; they are ignored from there on.
// 2. Longest paths give the columns.
// 3. Barycentres give the order within a column; the order with the fewest crossings wins.
// 4. Each node's row is as near to the mean of its neighbours as the spacing allows (exact, by pooling).
namespace sg::ui {

struct LayoutNode {
    double width = 0;
    double height = 0;
};

struct LayoutEdge {
    std::size_t from = 0;
    std::size_t to = 0;
    double room = 0; // space that a label or a waiting bar needs between the columns
};

struct LayoutPoint {
    double x = 0;
    double y = 0;
    friend bool operator==(const LayoutPoint&, const LayoutPoint&) = default;
};

struct LayoutSpacing {
    double columnGap = 32; // least distance between the cards of two columns
    double row = 76; // between the centres of two cards
    double lane = 24; // height of an edge that passes through a column
};

struct LayoutResult {
    std::vector<LayoutPoint> centres; // of nodes
    std::vector<std::size_t> columns; // of nodes
    std::vector<bool> backward; // of edges: leads to an earlier column or to its own node
    std::vector<std::vector<LayoutPoint>> bends; // of edges: where it passes the columns between its ends
};

LayoutResult layeredLayout(const std::vector<LayoutNode>& nodes, const std::vector<LayoutEdge>& edges,
                           const LayoutSpacing& spacing = {});

} // namespace sg::ui
