#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/canvas_navigation.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"

#include <QContextMenuEvent>
#include <QDropEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {
constexpr double kWheelStep = 1.25;
}

void GraphView::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        const double notches = event->angleDelta().y() / 120.0;
        zoomAround(zoom() * std::pow(kWheelStep, notches), event->position());
        event->accept();
        return;
    }
    QPoint delta = event->pixelDelta().isNull() ? event->angleDelta() / 2 : event->pixelDelta();
    if (event->modifiers().testFlag(Qt::ShiftModifier) && delta.x() == 0)
        delta = QPoint(delta.y(), 0);
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - delta.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - delta.y());
    m_standing = Standing::Free;
    event->accept();
}

bool GraphView::handleZoomKey(QKeyEvent* event)
{
    if (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier | Qt::ControlModifier))
        return false;
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomIn(); return true;
    case Qt::Key_Minus: zoomOut(); return true;
    case Qt::Key_0: setZoom(1); return true;
    case Qt::Key_1: fitAll(); return true;
    case Qt::Key_2: fitSelection(); return true;
    default: return false;
    }
}

bool GraphView::handleArrow(QKeyEvent* event)
{
    Direction direction = Direction::Right;
    switch (event->key()) {
    case Qt::Key_Left: direction = Direction::Left; break;
    case Qt::Key_Right: break;
    case Qt::Key_Up: direction = Direction::Up; break;
    case Qt::Key_Down: direction = Direction::Down; break;
    case Qt::Key_Home:
    case Qt::Key_End: break;
    default: return false;
    }
    const auto& nodes = m_scene.nodes();
    if (nodes.empty() || event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier))
        return false;
    std::vector<QPointF> centres;
    for (const NodeItem* node : nodes)
        centres.push_back(node->card().center());
    std::size_t target = event->key() == Qt::Key_End ? nodes.size() - 1 : 0;
    const bool jump = event->key() == Qt::Key_Home || event->key() == Qt::Key_End;
    if (const NodeItem* current = m_scene.findNode(m_scene.currentNode()); current && !jump) {
        const auto from =
            static_cast<std::size_t>(std::find(nodes.begin(), nodes.end(), current) - nodes.begin());
        const auto next = nodeTowards(centres, from, direction);
        if (!next)
            return true;
        target = *next;
    }
    if (event->modifiers().testFlag(Qt::ShiftModifier))
        selectAlso(nodes[target]->node().id);
    else
        m_scene.setCurrentNode(nodes[target]->node().id);
    reveal(m_scene.currentNode());
    return true;
}

// Going back to a node that is selected already deselects the node that one comes from.
void GraphView::selectAlso(const NodeId& node)
{
    std::vector<NodeId> selected = m_scene.selectedNodes();
    const bool back = std::ranges::find(selected, node) != selected.end();
    std::erase(selected, back ? m_scene.currentNode() : node);
    std::erase(selected, node);
    selected.push_back(node);
    m_scene.setSelectedNodes(selected);
}

void GraphView::keyPressEvent(QKeyEvent* event)
{
    if (m_editor && m_editor->keyPressed(*event)) {
        event->accept();
        return;
    }
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        m_spaceHeld = true;
        updateCursor();
        return;
    }
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        activateCurrent();
        return;
    }
    if (event->key() == Qt::Key_Escape && !m_scene.currentNode().empty()) {
        m_scene.setCurrentNode({});
        return;
    }
    if (handleZoomKey(event) || handleArrow(event)) {
        event->accept();
        return;
    }
    event->ignore();
}

void GraphView::keyReleaseEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        m_spaceHeld = false;
        updateCursor();
    }
}

void GraphView::selectAt(const QPoint& point)
{
    // Items cannot be asked: in the overview they are not painted, and cards are enlarged by some slack.
    const QPointF at = mapToScene(point);
    const double slack = zoom() < kOverviewBelow ? 4 / transform().m11() : 0;
    const auto& nodes = m_scene.nodes();
    const auto hit = std::find_if(nodes.rbegin(), nodes.rend(), [&](const NodeItem* node) {
        return node->card().adjusted(-slack, -slack, slack, slack).contains(at);
    });
    m_scene.setCurrentNode(hit == nodes.rend() ? NodeId() : (*hit)->node().id);
}

void GraphView::mousePressEvent(QMouseEvent* event)
{
    if (m_editor && !m_spaceHeld && m_editor->pressed(*event)) {
        event->accept();
        return;
    }
    const bool ground = event->button() == Qt::LeftButton;
    if (ground && !m_spaceHeld)
        selectAt(event->position().toPoint());
    if (event->button() == Qt::MiddleButton || (ground && (m_spaceHeld || m_scene.currentNode().empty()))) {
        m_panning = true;
        m_panFrom = event->position().toPoint();
        updateCursor();
    }
    event->accept();
}

void GraphView::mouseMoveEvent(QMouseEvent* event)
{
    if (m_editor && m_editor->moved(*event)) {
        event->accept();
        return;
    }
    if (!m_panning) {
        QGraphicsView::mouseMoveEvent(event); // updates hovering
        return;
    }
    const QPoint delta = event->position().toPoint() - m_panFrom;
    m_panFrom = event->position().toPoint();
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - delta.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - delta.y());
    if (!delta.isNull())
        m_standing = Standing::Free;
}

void GraphView::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_editor && m_editor->released(*event)) {
        event->accept();
        return;
    }
    m_panning = false;
    updateCursor();
    event->accept();
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (m_editor && m_editor->doubleClicked(*event)) {
        event->accept();
        return;
    }
    if (event->button() == Qt::LeftButton) {
        selectAt(event->position().toPoint());
        activateCurrent();
    }
    event->accept();
}

CanvasEditor& GraphView::makeEditable(GraphDocument& document)
{
    m_editor = new CanvasEditor(*this, document);
    setAcceptDrops(true);
    return *m_editor;
}

bool GraphView::event(QEvent* event)
{
    // Comes before the window's shortcuts: Tab would move the focus, a menu may use Delete or a letter.
    if (m_editor && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Tab && m_editor->keyPressed(*key)) {
            event->accept();
            return true;
        }
    }
    return QGraphicsView::event(event);
}

void GraphView::dragEnterEvent(QDragEnterEvent* event)
{
    event->setAccepted(m_editor && m_editor->takes(*event->mimeData()));
}

void GraphView::dragMoveEvent(QDragMoveEvent* event)
{
    event->setAccepted(m_editor && m_editor->takesAt(*event->mimeData(), event->position().toPoint()));
}

void GraphView::dropEvent(QDropEvent* event)
{
    if (m_editor && m_editor->dropped(*event->mimeData(), event->position().toPoint()))
        event->acceptProposedAction();
}

void GraphView::contextMenuEvent(QContextMenuEvent* event)
{
    if (m_editor)
        m_editor->showMenu(event->reason() == QContextMenuEvent::Mouse ? event->pos() : QPoint(-1, -1));
    event->accept();
}

void GraphView::updateCursor()
{
    if (m_panning)
        viewport()->setCursor(Qt::ClosedHandCursor);
    else if (m_spaceHeld)
        viewport()->setCursor(Qt::OpenHandCursor);
    else
        viewport()->unsetCursor();
}

void GraphView::focusInEvent(QFocusEvent* event)
{
    QGraphicsView::focusInEvent(event);
    if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason)
        if (m_scene.currentNode().empty() && !m_scene.nodes().empty())
            m_scene.setCurrentNode(m_scene.nodes().front()->node().id);
}

} // namespace sg::ui
