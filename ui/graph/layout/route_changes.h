#pragma once

#include "ui/graph/layout/edge_routes.h"

#include <cstddef>
#include <vector>

namespace sg::ui {

// What is another than when other routes were found.
struct RouteChanges {
    static constexpr std::size_t kNew = static_cast<std::size_t>(-1);
    std::vector<bool> moved; // of nodes: it stood elsewhere, or is new
    std::vector<bool> otherPorts; // of nodes: their ways out may lie in another order
    std::vector<std::size_t> sameAs; // of edges: which one it was; kNew: none, or a part of a waiting edge
    std::vector<QRectF> places; // where nodes that moved, came or went stood and stand
    std::vector<std::size_t> wasNode; // of nodes: which one it was; kNew: none
    std::vector<bool> lostEdge; // of nodes: a way from or to it is gone, or may be
    Routes& known; // what stays is moved out of them
};
RouteChanges routeChanges(const RouteInput& input, const RoutedBefore& before);

} // namespace sg::ui
