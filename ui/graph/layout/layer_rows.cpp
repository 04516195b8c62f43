#include "ui/graph/layout/layer_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sg::ui {

namespace {

constexpr int kRowSweeps = 24;
constexpr int kSweepsOfLarge = 6;
constexpr std::size_t kLarge = 6000; // parts
constexpr double kHalfSteps = 2;

std::vector<double> distancesIn(const std::vector<std::size_t>& layer, const LayerGraph& graph)
{
    std::vector<double> distance(layer.size());
    for (std::size_t i = 1; i < layer.size(); ++i)
        distance[i] = (graph.space[layer[i - 1]] + graph.space[layer[i]]) / 2;
    return distance;
}

double meanRow(const std::vector<std::size_t>& parts, const std::vector<double>& rows)
{
    return std::accumulate(parts.begin(), parts.end(), 0.0,
                           [&](double sum, std::size_t part) { return sum + rows[part]; })
        / static_cast<double>(parts.size());
}

void pull(const std::vector<std::size_t>& layer, const LayerGraph& graph,
          const std::vector<std::vector<std::size_t>>& neighbours, std::vector<double>& rows)
{
    std::vector<double> wanted;
    wanted.reserve(layer.size());
    for (const std::size_t part : layer)
        wanted.push_back(neighbours[part].empty() ? rows[part] : meanRow(neighbours[part], rows));
    const std::vector<double> placed = spaced(wanted, distancesIn(layer, graph));
    for (std::size_t i = 0; i < layer.size(); ++i)
        rows[layer[i]] = placed[i];
}

// Pulls each part towards the neighbours on both sides, so that a fork's node ends between its targets.
void settle(const LayerGraph& graph, std::vector<double>& rows)
{
    for (const auto& layer : graph.layers) {
        std::vector<double> wanted;
        for (const std::size_t part : layer) {
            const auto& before = graph.neighboursBefore[part];
            const auto& after = graph.neighboursAfter[part];
            double row = rows[part];
            if (!before.empty() && !after.empty())
                row = (meanRow(before, rows) + meanRow(after, rows)) / 2;
            else if (!before.empty())
                row = meanRow(before, rows);
            else if (!after.empty())
                row = meanRow(after, rows);
            wanted.push_back(row);
        }
        const std::vector<double> placed = spaced(wanted, distancesIn(layer, graph));
        for (std::size_t i = 0; i < layer.size(); ++i)
            rows[layer[i]] = placed[i];
    }
}

} // namespace

std::vector<double> spaced(const std::vector<double>& wanted, const std::vector<double>& distance)
{
    // Without the distances this is isotonic regression: neighbours that violate the order are pooled.
    struct Pool {
        double sum;
        std::size_t count;
        [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
    };
    std::vector<double> offset(wanted.size());
    std::vector<Pool> pools;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        offset[i] = i == 0 ? 0 : offset[i - 1] + distance[i];
        pools.push_back({ wanted[i] - offset[i], 1 });
        while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
            const Pool last = pools.back();
            pools.pop_back();
            pools.back().sum += last.sum;
            pools.back().count += last.count;
        }
    }
    std::vector<double> placed;
    placed.reserve(wanted.size());
    for (const Pool& pool : pools)
        for (std::size_t i = 0; i < pool.count; ++i) {
            const double row = pool.mean() + offset[placed.size()];
            placed.push_back(row);
        }
    return placed;
}

std::vector<double> placeRows(const LayerGraph& graph)
{
    std::vector<double> rows(graph.space.size());
    for (const auto& layer : graph.layers) {
        const std::vector<double> distance = distancesIn(layer, graph);
        const double height = std::accumulate(distance.begin(), distance.end(), 0.0);
        double row = -height / 2;
        for (std::size_t i = 0; i < layer.size(); ++i)
            rows[layer[i]] = row += distance[i];
    }
    const int sweeps = rows.size() > kLarge ? kSweepsOfLarge : kRowSweeps;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for (std::size_t i = 1; i < graph.layers.size(); ++i)
            pull(graph.layers[i], graph, graph.neighboursBefore, rows);
        for (std::size_t i = graph.layers.size(); i-- > 1;)
            pull(graph.layers[i - 1], graph, graph.neighboursAfter, rows);
        settle(graph, rows);
    }
    double top = std::numeric_limits<double>::max();
    for (const double row : rows)
        top = std::min(top, row);
    for (double& row : rows)
        row = std::round((row - top) / kHalfSteps) * kHalfSteps;
    return rows;
}

} // namespace sg::ui
