#include "ui/graph/canvas/canvas_places.h"

#include "ui/graph/canvas/arranger.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/scene/graph_scene.h"

#include <algorithm>
#include <cmath>

namespace sg::ui {

void nudgeSelected(const EditedCanvas& canvas, const QPointF& by)
{
    const GraphDocument& document = canvas.document;
    std::vector<std::pair<NodeId, graph::Position>> places;
    QString names;
    for (const NodeId& id : canvas.scene.selectedNodes()) {
        const QPointF to = document.places()[document.drawing().findNode(id)] + by;
        places.emplace_back(id, graph::Position{ to.x(), to.y() });
        names += QString::fromStdString(id.value) + QLatin1Char('/');
    }
    canvas.document.editPlaced(
        QObject::tr("Move"), [&](graph::Graph& graph) { moveNodes(graph, places); },
        QStringLiteral("move/") + names);
    canvas.view.reveal(canvas.scene.currentNode());
}

bool isSelectionPinned(const EditedCanvas& canvas)
{
    const std::vector<NodeId> selected = canvas.scene.selectedNodes();
    return !selected.empty() && std::ranges::all_of(selected, [&](const NodeId& id) {
        return isPinned(canvas.document.graph(), id);
    });
}

void togglePinOfSelected(const EditedCanvas& canvas)
{
    const bool pinned = !isSelectionPinned(canvas);
    std::vector<std::pair<NodeId, graph::Position>> places;
    for (const NodeId& id : canvas.scene.selectedNodes()) {
        const QPointF at = canvas.document.places()[canvas.document.drawing().findNode(id)];
        places.emplace_back(id, graph::Position{ at.x(), at.y(), pinned });
    }
    canvas.document.editPlaced(pinned ? QObject::tr("Keep its place") : QObject::tr("Let it be arranged"),
                               [&](graph::Graph& graph) { pinNodes(graph, places); });
}

void alignSelected(const EditedCanvas& canvas, Alignment alignment)
{
    const auto places = alignedPlaces(canvas.document.drawing(), canvas.document.places(),
                                      canvas.scene.selectedNodes(), alignment);
    canvas.document.editPlaced(QObject::tr("Align"), [&](graph::Graph& graph) { moveNodes(graph, places); });
}

void arrangeAll(const EditedCanvas& canvas, Arranger& arranger,
                const std::function<void(const QString& text)>& hint)
{
    const GraphDrawing drawing = withoutInsides(canvas.document.drawing());
    std::vector<std::optional<LayoutPoint>> pinned(drawing.nodes.size());
    for (const auto& [id, place] : canvas.document.graph().layout)
        if (const std::size_t node = drawing.findNode(id); place.pinned && node < pinned.size())
            pinned[node] = LayoutPoint{ place.x, place.y };
    arranger.start(drawing, pinned, [canvas, drawing, hint](const Arranger::Places& centres) {
        if (!(withoutInsides(canvas.document.drawing()) == drawing)) {
            hint(QObject::tr("The graph changed while it was arranged: nothing was moved."));
            return;
        }
        std::vector<std::pair<NodeId, graph::Position>> places;
        for (std::size_t i = 0; i < centres.size(); ++i)
            places.emplace_back(drawing.nodes[i].id,
                                graph::Position{ std::round(centres[i].x), std::round(centres[i].y) });
        if (canvas.document.edit(QObject::tr("Arrange"),
                                 [&](graph::Graph& graph) { moveNodes(graph, places); }))
            canvas.view.fitAll();
    });
}

} // namespace sg::ui
