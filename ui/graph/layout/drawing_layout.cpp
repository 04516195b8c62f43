#include "ui/graph/layout/drawing_layout.h"

#include "ui/graph/layout/edge_routes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sg::ui {

namespace {

constexpr double kRow = 76;
constexpr double kBeside = 8; // least distance between two cards
constexpr double kBelowGraph = 38; // more than a row, so that a label fits on the way down
constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);

std::vector<LayoutEdge> layoutEdges(const GraphDrawing& drawing, const std::vector<double>& labelWidths)
{
    std::vector<LayoutEdge> edges;
    for (std::size_t i = 0; i < drawing.edges.size(); ++i) {
        const DrawnEdge& edge = drawing.edges[i];
        double room = labelWidths[i] > 0 ? labelWidths[i] + kLabelRoom : 0;
        if (edge.join != kNoJoin)
            room = std::max(room, kJoinRoom);
        edges.push_back({ edge.from, edge.to, room });
    }
    return edges;
}

std::vector<LayoutNode> layoutNodes(const GraphDrawing& drawing)
{
    std::vector<LayoutNode> nodes;
    for (const DrawnNode& node : drawing.nodes)
        nodes.push_back({ node.width(), node.height() });
    return nodes;
}

struct Return {
    std::size_t node = kNoIndex;
    std::size_t first = kNoIndex; // the node that it leads back to
    std::size_t last = kNoIndex; // the rightmost node that leads to it
};

// Nodes whose edges all lead back to one node, and which are reached only from columns behind that node.
std::vector<Return> findReturns(const GraphDrawing& drawing, const LayoutResult& layout)
{
    std::vector<Return> returns(drawing.nodes.size());
    std::vector<bool> possible(drawing.nodes.size(), true);
    for (std::size_t i = 0; i < drawing.edges.size(); ++i) {
        const DrawnEdge& edge = drawing.edges[i];
        Return& from = returns[edge.from];
        const bool back = layout.backward[i] && !edge.open && edge.to != edge.from && edge.join == kNoJoin
            && edge.label.empty();
        if (!back || (from.first != kNoIndex && from.first != edge.to))
            possible[edge.from] = false;
        from.first = edge.to;
        Return& to = returns[edge.to];
        if (edge.join != kNoJoin || layout.backward[i])
            possible[edge.to] = false;
        if (to.last == kNoIndex || layout.columns[edge.from] > layout.columns[to.last])
            to.last = edge.from;
    }
    std::vector<Return> found;
    for (std::size_t node = 0; node < returns.size(); ++node) {
        Return& candidate = returns[node];
        if (!possible[node] || candidate.first == kNoIndex || candidate.last == kNoIndex)
            continue;
        candidate.node = node;
        if (layout.columns[candidate.first] < layout.columns[candidate.last])
            found.push_back(candidate);
    }
    return found;
}

// The drawing without some nodes; nodeOf and edgeOf hold the original index of each kept node and edge.
struct Rest {
    std::vector<LayoutNode> nodes;
    std::vector<LayoutEdge> edges;
    std::vector<std::size_t> nodeOf;
    std::vector<std::size_t> edgeOf;
};

Rest without(const std::vector<Return>& returns, const std::vector<LayoutNode>& nodes,
             const std::vector<LayoutEdge>& edges)
{
    std::vector<std::size_t> newIndex(nodes.size());
    for (const Return& gone : returns)
        newIndex[gone.node] = kNoIndex;
    Rest rest;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (newIndex[i] == kNoIndex)
            continue;
        newIndex[i] = rest.nodes.size();
        rest.nodes.push_back(nodes[i]);
        rest.nodeOf.push_back(i);
    }
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (newIndex[edges[i].from] == kNoIndex || newIndex[edges[i].to] == kNoIndex)
            continue;
        rest.edges.push_back({ newIndex[edges[i].from], newIndex[edges[i].to], edges[i].room });
        rest.edgeOf.push_back(i);
    }
    return rest;
}

// Puts each returning node below everything between its ends, also below returning nodes placed before.
void placeReturns(const std::vector<Return>& returns, const std::vector<LayoutNode>& nodes,
                  std::vector<LayoutPoint>& centres, std::vector<bool>& placed)
{
    for (const Return& back : returns) {
        const double left = centres[back.first].x - kCardWidth / 2;
        const double right = centres[back.last].x + kCardWidth / 2;
        double bottom = std::numeric_limits<double>::lowest();
        for (std::size_t i = 0; i < centres.size(); ++i)
            if (placed[i] && centres[i].x + nodes[i].width / 2 > left
                && centres[i].x - nodes[i].width / 2 < right)
                bottom = std::max(bottom, centres[i].y);
        centres[back.node] = { (centres[back.first].x + centres[back.last].x) / 2,
                               bottom + kRow + kBelowGraph };
        placed[back.node] = true;
    }
}

} // namespace

DrawingLayout layOutDrawing(const GraphDrawing& drawing, const std::vector<double>& labelWidths)
{
    const std::vector<LayoutNode> nodes = layoutNodes(drawing);
    const std::vector<LayoutEdge> edges = layoutEdges(drawing, labelWidths);
    LayoutResult all = layeredLayout(nodes, edges);
    const std::vector<Return> returns = findReturns(drawing, all);
    if (returns.empty())
        return { std::move(all.centres), std::move(all.bends) };

    const Rest rest = without(returns, nodes, edges);
    const LayoutResult kept = layeredLayout(rest.nodes, rest.edges);
    DrawingLayout layout{ std::vector<LayoutPoint>(nodes.size()),
                          std::vector<std::vector<LayoutPoint>>(edges.size()) };
    std::vector<bool> placed(nodes.size());
    for (std::size_t i = 0; i < rest.nodes.size(); ++i) {
        layout.centres[rest.nodeOf[i]] = kept.centres[i];
        placed[rest.nodeOf[i]] = true;
    }
    for (std::size_t i = 0; i < rest.edges.size(); ++i)
        layout.bends[rest.edgeOf[i]] = kept.bends[i];
    placeReturns(returns, nodes, layout.centres, placed);
    return layout;
}

void keepPinned(const GraphDrawing& drawing, const std::vector<std::optional<LayoutPoint>>& pinned,
                std::vector<LayoutPoint>& centres)
{
    LayoutPoint shift;
    double count = 0;
    for (std::size_t i = 0; i < centres.size(); ++i)
        if (pinned[i]) {
            shift.x += pinned[i]->x - centres[i].x;
            shift.y += pinned[i]->y - centres[i].y;
            ++count;
        }
    if (count == 0)
        return;
    std::vector<std::size_t> settled;
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < centres.size(); ++i) {
        centres[i] = pinned[i]
            ? *pinned[i]
            : LayoutPoint{ centres[i].x + shift.x / count, centres[i].y + shift.y / count };
        (pinned[i] ? settled : others).push_back(i);
    }
    std::ranges::stable_sort(others, {}, [&](std::size_t i) { return centres[i].y; });
    for (const std::size_t i : others) {
        const auto covers = [&](std::size_t other) {
            const DrawnNode& a = drawing.nodes[i];
            const DrawnNode& b = drawing.nodes[other];
            return std::abs(centres[i].x - centres[other].x) < (a.width() + b.width()) / 2 + kBeside
                && std::abs(centres[i].y - centres[other].y) < (a.height() + b.height()) / 2 + kBeside;
        };
        for (auto hit = std::ranges::find_if(settled, covers); hit != settled.end();
             hit = std::ranges::find_if(settled, covers))
            centres[i].y = centres[*hit].y + kRow;
        settled.push_back(i);
    }
}

} // namespace sg::ui
