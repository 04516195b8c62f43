#include "ui/graph/canvas/arranger.h"
#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/scene/graph_scene.h"

#include <QAction>

#include <algorithm>
#include <cmath>

// Commands that change where nodes are: arranging, pinning, aligning.
namespace sg::ui {

void CanvasEditor::createPlaceActions()
{
    m_actions.arrange =
        make(tr("A&rrange"), "grid", QKeySequence(QStringLiteral("Ctrl+Shift+L")), [this] { arrange(); });
    m_actions.pin = make(tr("Kee&p its place"), "pin", QKeySequence(QStringLiteral("P")), [this] { pin(); });
    m_actions.pin->setCheckable(true);
    m_actions.pin->setToolTip(tr("Arranging leaves it where it is (P)"));
    const std::array<QString, kAlignments> titles{ tr("Align &left"),        tr("Align &right"),
                                                   tr("Align &top"),         tr("Align &bottom"),
                                                   tr("Distribute &across"), tr("Distribute &down") };
    for (std::size_t i = 0; i < kAlignments; ++i)
        m_actions.align[i] = make(titles[i], nullptr, {}, [this, i] { align(static_cast<Alignment>(i)); });
}

void CanvasEditor::updatePlaceActions()
{
    const bool editable = m_document.isEditable();
    const std::vector<NodeId> selected = m_scene.selectedNodes();
    m_actions.arrange->setEnabled(editable && !m_document.isEmpty());
    m_actions.pin->setEnabled(editable && !selected.empty());
    m_actions.pin->setChecked(!selected.empty() && std::ranges::all_of(selected, [&](const NodeId& id) {
        return isPinned(m_document.graph(), id);
    }));
    for (std::size_t i = 0; i < kAlignments; ++i) {
        const bool spreads = i == static_cast<std::size_t>(Alignment::Across)
            || i == static_cast<std::size_t>(Alignment::Down);
        m_actions.align[i]->setEnabled(editable && selected.size() > (spreads ? 2 : 1));
    }
}

// The answer comes later and is dropped if the graph has changed by then.
void CanvasEditor::arrange()
{
    const GraphDrawing drawing = m_document.drawing();
    std::vector<std::optional<LayoutPoint>> pinned(drawing.nodes.size());
    for (const auto& [id, place] : m_document.graph().layout)
        if (const std::size_t node = drawing.findNode(id); place.pinned && node < pinned.size())
            pinned[node] = LayoutPoint{ place.x, place.y };
    m_arranger->start(drawing, pinned, [this, drawing](const Arranger::Places& centres) {
        if (!(m_document.drawing() == drawing)) {
            Q_EMIT hinted(tr("The graph changed while it was arranged: nothing was moved."));
            return;
        }
        std::vector<std::pair<NodeId, graph::Position>> places;
        for (std::size_t i = 0; i < centres.size(); ++i)
            places.emplace_back(drawing.nodes[i].id,
                                graph::Position{ std::round(centres[i].x), std::round(centres[i].y) });
        if (m_document.edit(tr("Arrange"), [&](graph::Graph& graph) { moveNodes(graph, places); }))
            m_view.fitAll();
    });
}

void CanvasEditor::pin()
{
    const std::vector<NodeId> selected = m_scene.selectedNodes();
    const bool pinned =
        !std::ranges::all_of(selected, [&](const NodeId& id) { return isPinned(m_document.graph(), id); });
    std::vector<std::pair<NodeId, graph::Position>> places;
    for (const NodeId& id : selected) {
        const QPointF at = m_document.centres()[m_document.drawing().findNode(id)];
        places.emplace_back(id, graph::Position{ at.x(), at.y(), pinned });
    }
    m_document.editPlaced(pinned ? tr("Keep its place") : tr("Let it be arranged"),
                          [&](graph::Graph& graph) { pinNodes(graph, places); });
    updateActions(); // a checkable action toggles itself, even where the edit changed nothing
}

void CanvasEditor::align(Alignment alignment)
{
    const auto places =
        alignedPlaces(m_document.drawing(), m_document.centres(), m_scene.selectedNodes(), alignment);
    m_document.editPlaced(tr("Align"), [&](graph::Graph& graph) { moveNodes(graph, places); });
}

} // namespace sg::ui
