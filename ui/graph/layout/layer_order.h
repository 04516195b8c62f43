#pragma once

#include <cstddef>
#include <vector>

namespace sg::ui {

// Columns of parts; a part is a node or the place where a long edge passes. Links join neighbouring columns;
// a link over more columns is ignored when crossings are counted.
struct LayerGraph {
    std::vector<std::vector<std::size_t>> layers; // parts from top to bottom
    std::vector<double> space; // the height that each part claims
    std::vector<std::vector<std::size_t>> neighboursBefore;
    std::vector<std::vector<std::size_t>> neighboursAfter;
};

// Reorders each layer so that few links cross. Parts without links keep their place.
void orderLayers(LayerGraph& graph);

// Crossings between neighbouring layers in the present order.
std::size_t countCrossings(const LayerGraph& graph);

} // namespace sg::ui
