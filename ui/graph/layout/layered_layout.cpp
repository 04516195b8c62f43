#include "ui/graph/layout/layered_layout.h"

#include "ui/graph/layout/layer_order.h"
#include "ui/graph/layout/layer_rows.h"

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

// With more places for passing edges, long edges go straight, so that the layout stays fast for any graph.
constexpr std::size_t kMostPassages = 20000;

struct Walk {
    const std::vector<std::vector<std::size_t>>& out; // the outgoing edges of each node
    const std::vector<LayoutEdge>& edges;
    std::vector<bool>& backward;
    std::vector<char> state; // 0 not seen, 1 on the path, 2 done
};

// The walk needs no recursion: a chain of a million nodes must not overflow the stack.
void walkFrom(std::size_t root, Walk& walk)
{
    if (walk.state[root] != 0)
        return;
    std::vector<std::pair<std::size_t, std::size_t>> path{ { root, 0 } };
    walk.state[root] = 1;
    while (!path.empty()) {
        auto& [node, next] = path.back();
        if (next == walk.out[node].size()) {
            walk.state[node] = 2;
            path.pop_back();
            continue;
        }
        const std::size_t edge = walk.out[node][next++];
        const std::size_t to = walk.edges[edge].to;
        if (walk.state[to] == 1)
            walk.backward[edge] = true;
        else if (walk.state[to] == 0) {
            walk.state[to] = 1;
            path.emplace_back(to, 0);
        }
    }
}

std::vector<bool> findBackward(std::size_t count, const std::vector<LayoutEdge>& edges)
{
    std::vector<std::vector<std::size_t>> out(count);
    std::vector<bool> hasIncoming(count);
    for (std::size_t i = 0; i < edges.size(); ++i) {
        out[edges[i].from].push_back(i);
        if (edges[i].to != edges[i].from)
            hasIncoming[edges[i].to] = true;
    }
    std::vector<bool> backward(edges.size());
    Walk walk{ out, edges, backward, std::vector<char>(count) };
    for (std::size_t node = 0; node < count; ++node)
        if (!hasIncoming[node])
            walkFrom(node, walk);
    for (std::size_t node = 0; node < count; ++node)
        walkFrom(node, walk);
    return backward;
}

// The column of a node is the length of the longest forward path to it, in topological order.
std::vector<std::size_t> findColumns(std::size_t count, const std::vector<LayoutEdge>& edges,
                                     const std::vector<bool>& backward)
{
    std::vector<std::vector<std::size_t>> out(count);
    std::vector<std::size_t> waiting(count);
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (backward[i])
            continue;
        out[edges[i].from].push_back(edges[i].to);
        ++waiting[edges[i].to];
    }
    std::vector<std::size_t> ready;
    for (std::size_t node = 0; node < count; ++node)
        if (waiting[node] == 0)
            ready.push_back(node);
    std::vector<std::size_t> columns(count);
    for (std::size_t i = 0; i < ready.size(); ++i) {
        for (const std::size_t to : out[ready[i]]) {
            columns[to] = std::max(columns[to], columns[ready[i]] + 1);
            if (--waiting[to] == 0)
                ready.push_back(to);
        }
    }
    return columns;
}

// Fills the columns with nodes and with the passages of long edges.
LayerGraph buildLayers(const std::vector<LayoutNode>& nodes, const std::vector<LayoutEdge>& edges,
                       const LayoutSpacing& spacing, const LayoutResult& result,
                       std::vector<std::vector<std::size_t>>& passages)
{
    LayerGraph graph;
    std::size_t columnCount = 0;
    for (const std::size_t column : result.columns)
        columnCount = std::max(columnCount, column + 1);
    graph.layers.resize(columnCount);
    const auto add = [&graph](std::size_t column, double space) {
        graph.layers[column].push_back(graph.space.size());
        graph.space.push_back(space);
        graph.neighboursBefore.emplace_back();
        graph.neighboursAfter.emplace_back();
        return graph.space.size() - 1;
    };
    for (std::size_t node = 0; node < nodes.size(); ++node)
        add(result.columns[node], std::max(spacing.row, nodes[node].height + spacing.row - 56));
    const auto link = [&graph](std::size_t a, std::size_t b) {
        graph.neighboursAfter[a].push_back(b);
        graph.neighboursBefore[b].push_back(a);
    };
    std::size_t used = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (result.backward[i])
            continue;
        const std::size_t first = result.columns[edges[i].from] + 1;
        const std::size_t last = result.columns[edges[i].to];
        std::size_t before = edges[i].from;
        if (used + last - first <= kMostPassages)
            for (std::size_t column = first; column < last; ++column, ++used) {
                const std::size_t passage = add(column, spacing.lane);
                passages[i].push_back(passage);
                link(before, passage);
                before = passage;
            }
        link(before, edges[i].to);
    }
    return graph;
}

std::vector<double> columnCentres(const std::vector<LayoutNode>& nodes, const std::vector<LayoutEdge>& edges,
                                  const LayoutSpacing& spacing, const LayoutResult& result,
                                  std::size_t columnCount)
{
    std::vector<double> width(columnCount);
    for (std::size_t node = 0; node < nodes.size(); ++node)
        width[result.columns[node]] = std::max(width[result.columns[node]], nodes[node].width);
    std::vector<double> gap(columnCount, spacing.columnGap);
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (result.backward[i])
            continue;
        double& after = gap[result.columns[edges[i].from]];
        after = std::max(after, spacing.columnGap + edges[i].room);
    }
    std::vector<double> centres(columnCount);
    double left = 0;
    for (std::size_t column = 0; column < columnCount; ++column) {
        centres[column] = left + width[column] / 2;
        left += width[column] + gap[column];
    }
    return centres;
}

} // namespace

LayoutResult layeredLayout(const std::vector<LayoutNode>& nodes, const std::vector<LayoutEdge>& edges,
                           const LayoutSpacing& spacing)
{
    LayoutResult result;
    result.backward = findBackward(nodes.size(), edges);
    result.columns = findColumns(nodes.size(), edges, result.backward);
    result.bends.resize(edges.size());
    std::vector<std::vector<std::size_t>> passages(edges.size());
    LayerGraph graph = buildLayers(nodes, edges, spacing, result, passages);
    orderLayers(graph);
    const std::vector<double> rows = placeRows(graph);
    const std::vector<double> x = columnCentres(nodes, edges, spacing, result, graph.layers.size());

    result.centres.resize(nodes.size());
    for (std::size_t node = 0; node < nodes.size(); ++node)
        result.centres[node] = { x[result.columns[node]], rows[node] };
    for (std::size_t i = 0; i < edges.size(); ++i) {
        std::size_t column = result.columns[edges[i].from] + 1;
        for (const std::size_t passage : passages[i])
            result.bends[i].push_back({ x[column++], rows[passage] });
    }
    return result;
}

} // namespace sg::ui
