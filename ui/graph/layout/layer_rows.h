#pragma once

#include "ui/graph/layout/layer_order.h"

namespace sg::ui {

// The y coordinate of each part's centre: in the layers' order, at least half of both claimed heights apart,
// long edges straight where that costs nothing. The topmost node is at 0.
std::vector<double> placeRows(const LayerGraph& graph);

// The positions nearest to `wanted` (least squares) that keep at least `distance[i]` between i-1 and i.
std::vector<double> spaced(const std::vector<double>& wanted, const std::vector<double>& distance);

} // namespace sg::ui
