#include "ui/graph/canvas/edited_canvas.h"

#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/scene/edge_item.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"
#include "ui/graph/scene/note_item.h"

#include <algorithm>
#include <cmath>

namespace sg::ui {

QPointF onGrid(const QPointF& place)
{
    return { std::round(place.x() / kCanvasGrid) * kCanvasGrid,
             std::round(place.y() / kCanvasGrid) * kCanvasGrid };
}

NodeItem* nodeAt(const EditedCanvas& canvas, const QPointF& at)
{
    const double slack = canvas.view.zoom() < kOverviewBelow ? 4 / canvas.view.transform().m11() : 0;
    const auto& nodes = canvas.scene.nodes();
    const auto hit = std::find_if(nodes.rbegin(), nodes.rend(), [&](const NodeItem* node) {
        const double port = node->node().kind == DrawnNode::Kind::End ? 0 : kPortReach;
        return node->card().adjusted(-slack, -slack, slack + port, slack).contains(at)
            && (node->card().adjusted(-slack, -slack, slack, slack).contains(at)
                || isOnPort(canvas, at, *node));
    });
    return hit == nodes.rend() ? nullptr : *hit;
}

bool isOnPort(const EditedCanvas& canvas, const QPointF& at, const NodeItem& node)
{
    if (node.node().kind == DrawnNode::Kind::End || canvas.view.zoom() < kOverviewBelow)
        return false;
    const QRectF card = node.card();
    const auto near = [&](const QPointF& port) {
        const QPointF away = at - port;
        return std::hypot(away.x(), away.y()) <= kPortReach;
    };
    if (near({ card.right(), card.center().y() }))
        return true;
    return std::ranges::any_of(
        canvas.scene.routes().ports[canvas.document.drawing().findNode(node.node().id)],
        [&](const QPointF& port) { return port.x() > card.width() / 2 && near(card.topLeft() + port); });
}

std::size_t noteAt(const EditedCanvas& canvas, const QPointF& at)
{
    const auto& notes = canvas.scene.notes();
    for (std::size_t i = notes.size(); i-- > 0;)
        if (notes[i]->holdRect().contains(at)
            || (i == canvas.scene.currentNote() && notes[i]->cornerRect().contains(at)))
            return i;
    return kNoNote;
}

void selectEdgeAt(const EditedCanvas& canvas, const QPoint& viewportPos)
{
    std::size_t edge = kNoEdge;
    if (canvas.view.zoom() >= kOverviewBelow)
        for (const QGraphicsItem* item : canvas.view.items(QRect(viewportPos - QPoint(3, 3), QSize(7, 7)))) {
            const auto& edges = canvas.scene.edges();
            const auto found = std::ranges::find(edges, item);
            if (found != edges.end())
                edge = static_cast<std::size_t>(found - edges.begin());
        }
    canvas.scene.setCurrentNode({});
    canvas.scene.setCurrentEdge(edge);
}

void selectGroundAt(const EditedCanvas& canvas, const QPoint& viewportPos)
{
    selectEdgeAt(canvas, viewportPos);
    if (canvas.scene.currentEdge() == kNoEdge)
        canvas.scene.setCurrentNote(noteAt(canvas, canvas.view.mapToScene(viewportPos)));
}

std::vector<NodeId> withoutTerminals(std::vector<NodeId> nodes)
{
    std::erase_if(nodes,
                  [](const NodeId& id) { return id.value == graph::kStart || id.value == graph::kEnd; });
    return nodes;
}

std::vector<NodeId> startsAt(const EditedCanvas& canvas, const NodeId& node)
{
    std::vector<NodeId> selected = withoutTerminals(canvas.scene.selectedNodes());
    return selected.size() > 1 && std::ranges::find(selected, node) != selected.end()
        ? selected
        : std::vector<NodeId>{ node };
}

} // namespace sg::ui
