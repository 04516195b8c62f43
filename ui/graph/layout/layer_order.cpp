#include "ui/graph/layout/layer_order.h"

#include <algorithm>
#include <numeric>

namespace sg::ui {

namespace {

constexpr int kSweeps = 12;
constexpr int kPatience = 4; // ends after so many sweeps without a better order

using Layers = std::vector<std::vector<std::size_t>>;

std::vector<std::size_t> placesOf(const LayerGraph& graph)
{
    std::vector<std::size_t> places(graph.space.size());
    for (const auto& layer : graph.layers)
        for (std::size_t i = 0; i < layer.size(); ++i)
            places[layer[i]] = i;
    return places;
}

std::vector<std::size_t> layerOfParts(const LayerGraph& graph)
{
    std::vector<std::size_t> of(graph.space.size());
    for (std::size_t layer = 0; layer < graph.layers.size(); ++layer)
        for (const std::size_t part : graph.layers[layer])
            of[part] = layer;
    return of;
}

// Counts the pairs out of order by merge sort: this is the number of links that cross.
std::size_t inversions(std::vector<std::size_t>& ends, std::vector<std::size_t>& scratch, std::size_t from,
                       std::size_t to)
{
    if (to - from < 2)
        return 0;
    const std::size_t middle = from + (to - from) / 2;
    std::size_t count = inversions(ends, scratch, from, middle) + inversions(ends, scratch, middle, to);
    std::size_t a = from;
    std::size_t b = middle;
    for (std::size_t i = from; i < to; ++i) {
        if (b == to || (a < middle && ends[a] <= ends[b])) {
            scratch[i] = ends[a++];
        } else {
            scratch[i] = ends[b++];
            count += middle - a;
        }
    }
    std::copy(scratch.begin() + static_cast<std::ptrdiff_t>(from),
              scratch.begin() + static_cast<std::ptrdiff_t>(to),
              ends.begin() + static_cast<std::ptrdiff_t>(from));
    return count;
}

void orderByNeighbours(std::vector<std::size_t>& layer,
                       const std::vector<std::vector<std::size_t>>& neighbours,
                       std::vector<std::size_t>& places)
{
    std::vector<std::pair<double, std::size_t>> keyed;
    keyed.reserve(layer.size());
    for (const std::size_t part : layer) {
        const auto& pulls = neighbours[part];
        double mean = static_cast<double>(places[part]);
        if (!pulls.empty())
            mean = std::accumulate(pulls.begin(), pulls.end(), 0.0,
                                   [&](double sum, std::size_t other) {
                                       return sum + static_cast<double>(places[other]);
                                   })
                / static_cast<double>(pulls.size());
        keyed.emplace_back(mean, part);
    }
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < layer.size(); ++i) {
        layer[i] = keyed[i].second;
        places[layer[i]] = i;
    }
}

} // namespace

std::size_t countCrossings(const LayerGraph& graph)
{
    const std::vector<std::size_t> places = placesOf(graph);
    const std::vector<std::size_t> layerOf = layerOfParts(graph);
    std::size_t crossings = 0;
    std::vector<std::size_t> scratch;
    for (std::size_t layer = 0; layer + 1 < graph.layers.size(); ++layer) {
        std::vector<std::size_t> ends;
        for (const std::size_t part : graph.layers[layer]) {
            const std::size_t first = ends.size();
            for (const std::size_t after : graph.neighboursAfter[part])
                if (layerOf[after] == layer + 1)
                    ends.push_back(places[after]);
            std::sort(ends.begin() + static_cast<std::ptrdiff_t>(first), ends.end());
        }
        scratch.resize(ends.size());
        crossings += inversions(ends, scratch, 0, ends.size());
    }
    return crossings;
}

void orderLayers(LayerGraph& graph)
{
    Layers best = graph.layers;
    std::size_t fewest = countCrossings(graph);
    std::vector<std::size_t> places = placesOf(graph);
    int waited = 0;
    for (int sweep = 0; sweep < kSweeps && fewest > 0 && waited < kPatience; ++sweep) {
        if (sweep % 2 == 0)
            for (std::size_t i = 1; i < graph.layers.size(); ++i)
                orderByNeighbours(graph.layers[i], graph.neighboursBefore, places);
        else
            for (std::size_t i = graph.layers.size(); i-- > 1;)
                orderByNeighbours(graph.layers[i - 1], graph.neighboursAfter, places);
        const std::size_t crossings = countCrossings(graph);
        ++waited;
        if (crossings < fewest) {
            fewest = crossings;
            best = graph.layers;
            waited = 0;
        }
    }
    graph.layers = std::move(best);
}

} // namespace sg::ui
