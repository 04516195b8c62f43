#pragma once

#include "ui/graph/layout/edge_routes.h"

#include <cstddef>
#include <vector>

namespace sg::ui {

// Differences from the input for which earlier routes were found.
struct RouteChanges {
    static constexpr std::size_t kNew = static_cast<std::size_t>(-1);
    std::vector<bool> moved; // of nodes: it was elsewhere, or is new
    std::vector<bool> otherPorts; // of nodes: its ways out may have another order
    std::vector<std::size_t> sameAs; // of edges: its former index; kNew if new or part of a waiting edge
    std::vector<QRectF> places; // the former and present rectangles of nodes that moved, came or went
    std::vector<std::size_t> wasNode; // of nodes: its former index, or kNew
    std::vector<bool> lostEdge; // of nodes: an edge from or to it is gone, or may be
    Routes& known; // routes that stay valid are moved out of it
};
RouteChanges routeChanges(const RouteInput& input, const RoutedBefore& before);

} // namespace sg::ui
