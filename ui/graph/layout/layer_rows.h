#pragma once

#include "ui/graph/layout/layer_order.h"

namespace sg::ui {

// The centre of each part on the vertical axis: in the layers' order, no two nearer than half of the space
// that each claims, long edges straight where that costs nothing. The topmost node's row is 0.
std::vector<double> placeRows(const LayerGraph& graph);

// The positions nearest to `wanted` (least squares) that keep `distance[i]` between i-1 and i.
std::vector<double> spaced(const std::vector<double>& wanted, const std::vector<double>& distance);

} // namespace sg::ui
