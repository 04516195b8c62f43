#include "ui/graph/canvas/canvas_editor.h"

#include "ui/graph/canvas/arranger.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/edits/graph_clipboard.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/layout/route_path.h"
#include "ui/graph/panels/node_palette.h"
#include "ui/graph/scene/edge_item.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"
#include "ui/graph/scene/note_item.h"
#include "ui/widgets/palette.h"

#include <QApplication>
#include <QGraphicsPathItem>
#include <QGraphicsRectItem>
#include <QMouseEvent>
#include <QPen>

#include <algorithm>
#include <cmath>

// Pointer gestures; keys and commands are in canvas_commands.cpp.
namespace sg::ui {
namespace {

constexpr double kEditorGrid = 20;
constexpr double kPortReach = 11; // how near the pointer must come to a port

QPointF snapped(const QPointF& place)
{
    return { std::round(place.x() / kEditorGrid) * kEditorGrid,
             std::round(place.y() / kEditorGrid) * kEditorGrid };
}

} // namespace

CanvasEditor::CanvasEditor(GraphView& view, GraphDocument& document)
    : QObject(&view)
    , m_view(view)
    , m_document(document)
    , m_scene(view.graphScene())
    , m_palette(new NodePalette(NodePalette::Use::Popup, &view))
    , m_arranger(new Arranger(this))
{
    createActions();
    connect(m_palette, &NodePalette::chosen, this, [this](const QString& id) {
        m_scene.clearOffers();
        m_line.reset();
        if (m_paletteConnects) {
            const NodeId to(id.toStdString());
            m_document.editPlaced(tr("Connect"),
                                  [&](graph::Graph& graph) { connectNodes(graph, m_from, to); });
        } else if (id.startsWith(QLatin1String("edge:"))) {
            joinSelected(id);
            return; // a popup of its targets may be open
        } else {
            place(id, m_placeAt, m_from);
        }
        m_view.setFocus();
    });
    connect(m_palette, &NodePalette::dismissed, this, [this] {
        m_scene.clearOffers();
        m_line.reset();
    });
    connect(&m_scene, &GraphScene::selectedNodesChanged, this, &CanvasEditor::updateActions);
    connect(&m_scene, &GraphScene::currentEdgeChanged, this, &CanvasEditor::updateActions);
    connect(&m_scene, &GraphScene::aboutToRebuild, this, &CanvasEditor::forgetGesture);
    connect(&m_scene, &GraphScene::edited, this, &CanvasEditor::forgetGesture);
    connect(&m_scene, &GraphScene::edited, this, &CanvasEditor::updateActions);
    connect(&m_scene, &GraphScene::rebuilt, this, &CanvasEditor::updateActions);
    updateActions();
}

CanvasEditor::~CanvasEditor() = default;

NodeItem* CanvasEditor::nodeAt(const QPointF& at) const
{
    const double slack = m_view.zoom() < kOverviewBelow ? 4 / m_view.transform().m11() : 0;
    const auto& nodes = m_scene.nodes();
    const auto hit = std::find_if(nodes.rbegin(), nodes.rend(), [&](const NodeItem* node) {
        const double port = node->node().kind == DrawnNode::Kind::End ? 0 : kPortReach;
        return node->card().adjusted(-slack, -slack, slack + port, slack).contains(at)
            && (node->card().adjusted(-slack, -slack, slack, slack).contains(at) || isOnPort(at, *node));
    });
    return hit == nodes.rend() ? nullptr : *hit;
}

bool CanvasEditor::isOnPort(const QPointF& at, const NodeItem& node) const
{
    if (node.node().kind == DrawnNode::Kind::End || m_view.zoom() < kOverviewBelow)
        return false;
    const QRectF card = node.card();
    const auto near = [&](const QPointF& port) {
        const QPointF away = at - port;
        return std::hypot(away.x(), away.y()) <= kPortReach;
    };
    if (near({ card.right(), card.center().y() }))
        return true;
    return std::ranges::any_of(
        m_scene.routes().ports[m_document.drawing().findNode(node.node().id)],
        [&](const QPointF& port) { return port.x() > card.width() / 2 && near(card.topLeft() + port); });
}

// An edge drawn from one of several selected nodes starts at all of them.
std::vector<NodeId> CanvasEditor::startsAt(const NodeId& node) const
{
    std::vector<NodeId> selected = m_scene.selectedNodes();
    std::erase_if(selected,
                  [](const NodeId& id) { return id.value == graph::kStart || id.value == graph::kEnd; });
    return selected.size() > 1 && std::ranges::find(selected, node) != selected.end()
        ? selected
        : std::vector<NodeId>{ node };
}

bool CanvasEditor::pressed(const QMouseEvent& event)
{
    if (!m_document.isEditable() || event.button() != Qt::LeftButton)
        return false;
    m_pressedAt = event.position().toPoint();
    m_pressedScene = m_view.mapToScene(m_pressedAt);
    m_pressedNode = {};
    const bool shift = event.modifiers().testFlag(Qt::ShiftModifier);
    NodeItem* node = nodeAt(m_pressedScene);
    if (!node) {
        if (shift) {
            m_gesture = Gesture::Band;
            return true;
        }
        selectEdgeAt(m_pressedAt);
        if (m_scene.currentEdge() != kNoEdge || pressNote(m_pressedScene))
            return true;
        m_scene.setCurrentNote(kNoNote);
        return false;
    }
    const NodeId id = node->node().id;
    if (isOnPort(m_pressedScene, *node)) {
        startConnecting(startsAt(id), m_pressedScene);
        return true;
    }
    std::vector<NodeId> selected = m_scene.selectedNodes();
    const bool isSelected = node->isSelected();
    if (shift) {
        std::erase(selected, id);
        if (!isSelected)
            selected.push_back(id);
        m_scene.setSelectedNodes(selected);
        return true;
    }
    if (!isSelected)
        m_scene.setCurrentNode(id);
    m_pressedNode = id;
    m_gesture = Gesture::Press;
    return true;
}

void CanvasEditor::selectEdgeAt(const QPoint& at)
{
    std::size_t edge = kNoEdge;
    if (m_view.zoom() >= kOverviewBelow)
        for (const QGraphicsItem* item : m_view.items(QRect(at - QPoint(3, 3), QSize(7, 7)))) {
            const auto& edges = m_scene.edges();
            const auto found = std::ranges::find(edges, item);
            if (found != edges.end())
                edge = static_cast<std::size_t>(found - edges.begin());
        }
    m_scene.setCurrentNode({});
    m_scene.setCurrentEdge(edge);
}

bool CanvasEditor::moved(const QMouseEvent& event)
{
    const QPointF at = m_view.mapToScene(event.position().toPoint());
    switch (m_gesture) {
    case Gesture::None: return false;
    case Gesture::Press:
        if ((event.position().toPoint() - m_pressedAt).manhattanLength() < QApplication::startDragDistance())
            return true;
        m_gesture = Gesture::Move;
        m_moving.clear();
        for (const NodeId& id : m_scene.selectedNodes())
            m_moving.push_back(m_document.drawing().findNode(id));
        [[fallthrough]];
    case Gesture::Move: moveTo(at, !event.modifiers().testFlag(Qt::AltModifier)); return true;
    case Gesture::MoveNote:
    case Gesture::SizeNote: dragNote(at, !event.modifiers().testFlag(Qt::AltModifier)); return true;
    case Gesture::Connect: aim(at); return true;
    case Gesture::Band:
        if (!m_band) {
            m_band = std::make_unique<QGraphicsRectItem>();
            QColor fill = color(&Tokens::accent);
            fill.setAlphaF(0.08F);
            m_band->setBrush(fill);
            QPen pen(color(&Tokens::accent), 1);
            pen.setCosmetic(true);
            m_band->setPen(pen);
            m_band->setZValue(5);
            m_scene.addItem(m_band.get());
        }
        m_band->setRect(QRectF(m_pressedScene, at).normalized());
        return true;
    }
    return false;
}

// The pressed node snaps to the grid; the other moved nodes keep their distances to it.
void CanvasEditor::moveTo(const QPointF& at, bool snap)
{
    const std::size_t pressed = m_document.drawing().findNode(m_pressedNode);
    if (pressed >= m_document.centres().size())
        return;
    const QPointF from = m_document.centres()[pressed];
    const QPointF to = from + at - m_pressedScene;
    m_movedBy = (snap ? snapped(to) : QPointF(std::round(to.x()), std::round(to.y()))) - from;
    m_scene.showMoved(m_moving, m_movedBy);
}

bool CanvasEditor::released(const QMouseEvent& event)
{
    const Gesture gesture = std::exchange(m_gesture, Gesture::None);
    const QPointF at = m_view.mapToScene(event.position().toPoint());
    switch (gesture) {
    case Gesture::None: return false;
    case Gesture::Press: m_scene.setCurrentNode(m_pressedNode); return true;
    case Gesture::Move: {
        std::vector<std::pair<NodeId, graph::Position>> places;
        for (const std::size_t node : m_moving) {
            const QPointF to = m_document.centres()[node] + m_movedBy;
            places.emplace_back(m_document.drawing().nodes[node].id, graph::Position{ to.x(), to.y() });
        }
        if (!m_document.editPlaced(tr("Move"), [&](graph::Graph& graph) { moveNodes(graph, places); }))
            m_scene.showMoved(m_moving, {});
        return true;
    }
    case Gesture::MoveNote:
    case Gesture::SizeNote: dropNote(gesture); return true;
    case Gesture::Connect: endConnecting(at); return true;
    case Gesture::Band: {
        std::vector<NodeId> inside;
        if (m_band)
            for (const NodeItem* node : m_scene.nodes())
                if (m_band->rect().intersects(node->card()))
                    inside.push_back(node->node().id);
        m_band.reset();
        m_scene.setSelectedNodes(inside);
        return true;
    }
    }
    return false;
}

bool CanvasEditor::doubleClicked(const QMouseEvent& event)
{
    const QPointF at = m_view.mapToScene(event.position().toPoint());
    if (!m_document.isEditable() || event.button() != Qt::LeftButton || nodeAt(at))
        return false;
    if (const std::size_t note = noteAt(at); note != kNoNote)
        writeNote(note);
    else
        popUpKinds(event.position().toPoint(), {});
    return true;
}

void CanvasEditor::startConnecting(const std::vector<NodeId>& from, const QPointF& at)
{
    m_gesture = Gesture::Connect;
    m_from = from;
    m_line = std::make_unique<QGraphicsPathItem>();
    QPen pen(color(&Tokens::accent), 1.5);
    pen.setDashPattern({ 4, 2.7 });
    m_line->setPen(pen);
    m_line->setZValue(4);
    m_scene.addItem(m_line.get());
    std::vector<NodeId> ends;
    for (const NodeItem* node : m_scene.nodes())
        ends.push_back(node->node().id);
    m_faults = connectionFaults(m_document.graph(), m_from, ends);
    m_aimed = nullptr;
    for (std::size_t i = 0; i < m_faults.size(); ++i)
        m_scene.nodes()[i]->setOffer(m_faults[i].empty() ? NodeItem::Offer::Possible
                                                         : NodeItem::Offer::Refused);
    aim(at);
}

void CanvasEditor::aim(const QPointF& at)
{
    NodeItem* target = nodeAt(at);
    QString why;
    QPointF end = at;
    const auto& nodes = m_scene.nodes();
    const auto index = static_cast<std::size_t>(std::ranges::find(nodes, target) - nodes.begin());
    const std::string fault = index < m_faults.size() ? m_faults[index] : std::string();
    NodeItem* aimed = target && fault.empty() ? target : nullptr;
    if (aimed != m_aimed && m_aimed)
        m_aimed->setOffer(NodeItem::Offer::Possible);
    if (aimed) {
        aimed->setOffer(NodeItem::Offer::Aimed);
        end = QPointF(aimed->card().left(), aimed->card().center().y());
    } else if (target && std::ranges::find(m_from, target->node().id) == m_from.end()) {
        why = QString::fromStdString(fault);
    }
    m_aimed = aimed;
    QPainterPath path;
    for (const NodeId& id : m_from)
        if (const NodeItem* node = m_scene.findNode(id)) {
            path.moveTo(node->card().right(), node->card().center().y());
            addCurve(path, end);
        }
    m_line->setPath(path);
    Q_EMIT hinted(why);
}

void CanvasEditor::endConnecting(const QPointF& at)
{
    Q_EMIT hinted({});
    const NodeItem* target = nodeAt(at);
    if (!target) {
        // Dropped on empty ground: the palette asks for a new node, and the line stays until then.
        m_scene.clearOffers();
        popUpKinds(m_view.mapFromScene(at), m_from);
        return;
    }
    const NodeId to = target->node().id;
    m_scene.clearOffers();
    m_line.reset();
    // Released near where it was pressed: this was a click on a port, not an edge from the node to itself.
    const QPointF away = at - m_pressedScene;
    if (std::hypot(away.x(), away.y()) < kPortReach)
        m_scene.setCurrentNode(to);
    else
        m_document.editPlaced(tr("Connect"), [&](graph::Graph& graph) { connectNodes(graph, m_from, to); });
}

void CanvasEditor::cancel()
{
    if (m_gesture == Gesture::Move)
        m_scene.showMoved(m_moving, {});
    if (m_gesture == Gesture::MoveNote)
        moveNotesBy({}, {});
    if (m_gesture == Gesture::SizeNote)
        m_scene.notes()[m_movingNotes.front()]->setNote(m_document.graph().notes[m_movingNotes.front()]);
    forgetGesture();
}

void CanvasEditor::forgetGesture()
{
    m_gesture = Gesture::None;
    m_aimed = nullptr; // the item may be deleted
    m_moving.clear();
    m_movingNotes.clear();
    m_line.reset();
    m_band.reset();
    m_scene.clearOffers();
}

} // namespace sg::ui
