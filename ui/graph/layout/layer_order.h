#pragma once

#include <cstddef>
#include <vector>

namespace sg::ui {

// Columns of parts; a part is a node or the place where a long edge passes. Links join neighbouring columns
// only (a link over more columns is allowed and then ignored when crossings are counted).
struct LayerGraph {
    std::vector<std::vector<std::size_t>> layers; // parts from top to bottom
    std::vector<double> space; // of parts: height that each claims
    std::vector<std::vector<std::size_t>> neighboursBefore;
    std::vector<std::vector<std::size_t>> neighboursAfter;
};

// Reorders each layer so that few links cross. Parts that nothing pulls keep their place.
void orderLayers(LayerGraph& graph);

// Crossings between neighbouring layers, for the order as it stands.
std::size_t countCrossings(const LayerGraph& graph);

} // namespace sg::ui
