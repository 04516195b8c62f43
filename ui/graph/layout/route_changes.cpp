#include "ui/graph/layout/route_changes.h"

#include <algorithm>
#include <unordered_map>

namespace sg::ui {
namespace {

constexpr std::size_t kNone = RouteChanges::kNew;

// Finds the former index of each node. Most nodes are in one unchanged run at the start and one at the end.
std::vector<std::size_t> matchedNodes(const std::vector<DrawnNode>& nodes,
                                      const std::vector<DrawnNode>& before)
{
    std::vector<std::size_t> same(nodes.size(), kNone);
    const auto isSame = [&](std::size_t now, std::size_t then) {
        return nodes[now].id == before[then].id && nodes[now].kind == before[then].kind
            && nodes[now].width() == before[then].width() && nodes[now].height() == before[then].height();
    };
    const std::size_t common = std::min(nodes.size(), before.size());
    std::size_t head = 0;
    for (; head < common && isSame(head, head); ++head)
        same[head] = head;
    std::size_t tail = 0;
    for (; tail < common - head && isSame(nodes.size() - 1 - tail, before.size() - 1 - tail); ++tail)
        same[nodes.size() - 1 - tail] = before.size() - 1 - tail;
    std::unordered_map<NodeId, std::size_t> between;
    for (std::size_t i = head; i < before.size() - tail; ++i)
        between.emplace(before[i].id, i);
    for (std::size_t i = head; i < nodes.size() - tail; ++i)
        if (const auto found = between.find(nodes[i].id); found != between.end() && isSame(i, found->second))
            same[i] = found->second;
    return same;
}

// Records which nodes moved, came and went; returns the present index of each former node.
std::vector<std::size_t> compareNodes(const RouteInput& input, const RoutedBefore& before,
                                      RouteChanges& changes)
{
    const std::vector<DrawnNode>& nodes = input.drawing.nodes;
    const std::vector<std::size_t>& same = changes.wasNode;
    std::vector<std::size_t> now(before.drawing.nodes.size(), kNone);
    for (std::size_t i = 0; i < same.size(); ++i) {
        if (same[i] != kNone)
            now[same[i]] = i;
        if (same[i] != kNone && input.centres[i] == before.centres[same[i]])
            continue;
        changes.moved[i] = true;
        changes.places.push_back(nodeRect(nodes[i], input.centres[i]));
        if (same[i] != kNone)
            changes.places.push_back(nodeRect(nodes[i], before.centres[same[i]]));
    }
    for (std::size_t i = 0; i < now.size(); ++i)
        if (now[i] == kNone)
            changes.places.push_back(nodeRect(before.drawing.nodes[i], before.centres[i]));
    return now;
}

} // namespace

RouteChanges routeChanges(const RouteInput& input, const RoutedBefore& before)
{
    const GraphDrawing& drawing = input.drawing;
    RouteChanges changes{ std::vector<bool>(drawing.nodes.size(), false),
                          std::vector<bool>(drawing.nodes.size(), false),
                          std::vector<std::size_t>(drawing.edges.size(), kNone),
                          {},
                          matchedNodes(drawing.nodes, before.drawing.nodes),
                          std::vector<bool>(drawing.nodes.size(), false),
                          before.routes };
    const std::vector<std::size_t>& same = changes.wasNode;
    const std::vector<std::size_t> now = compareNodes(input, before, changes);
    // One walk along both lists is enough, because edges keep their order.
    const std::vector<DrawnEdge>& edges = drawing.edges;
    const std::vector<DrawnEdge>& old = before.drawing.edges;
    const auto isSame = [&](std::size_t i, std::size_t was) {
        return i < edges.size() && was < old.size() && now[old[was].from] == edges[i].from
            && now[old[was].to] == edges[i].to && old[was].label == edges[i].label
            && old[was].port == edges[i].port && old[was].open == edges[i].open;
    };
    std::size_t then = 0;
    const auto lose = [&](const DrawnEdge& edge) {
        for (const std::size_t end : { now[edge.from], now[edge.to] })
            if (end != kNone)
                changes.lostEdge[end] = true;
    };
    const auto dropOld = [&] {
        lose(old[then]);
        if (const std::size_t from = now[old[then++].from]; from != kNone)
            changes.otherPorts[from] = true;
    };
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const DrawnEdge& edge = edges[i];
        const bool isNew = same[edge.from] == kNone || same[edge.to] == kNone;
        while (then < old.size()
               && (now[old[then].from] == kNone || now[old[then].to] == kNone
                   || (!isNew && !isSame(i, then) && isSame(i, then + 1))))
            dropOld();
        const bool isKept = !isNew && isSame(i, then);
        if (isKept && edge.join == kNoJoin && old[then].join == kNoJoin)
            changes.sameAs[i] = then;
        else if (isKept)
            lose(old[then]);
        if (!isKept || changes.moved[edge.from] || changes.moved[edge.to])
            changes.otherPorts[edge.from] = true;
        if (isKept)
            ++then;
        else if (!isNew && then < old.size() && !isSame(i + 1, then))
            dropOld();
    }
    while (then < old.size())
        dropOld();
    return changes;
}

} // namespace sg::ui
