#include "ui/graph/canvas/canvas_gestures.h"

#include "ui/graph/canvas/canvas_notes.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/layout/route_path.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"
#include "ui/graph/scene/note_item.h"
#include "ui/widgets/palette.h"

#include <QApplication>
#include <QGraphicsPathItem>
#include <QGraphicsRectItem>
#include <QPen>

#include <algorithm>
#include <cmath>

namespace sg::ui {
namespace {

QPointF putDown(const QPointF& place, bool snaps)
{
    return snaps ? onGrid(place) : QPointF(std::round(place.x()), std::round(place.y()));
}

class MoveOfNodes final : public Gesture {
public:
    MoveOfNodes(const EditedCanvas& canvas, const NodeId& pressed, const QPointF& at)
        : m_canvas(canvas)
        , m_pressed(pressed)
        , m_from(at)
    {
    }

    // The pressed node snaps to the grid; the other moved nodes keep their distances to it.
    void move(const QPointF& at, bool snaps) override
    {
        const std::size_t pressed = m_canvas.document.drawing().findNode(m_pressed);
        if ((!m_isMoving && !begins(at)) || pressed >= m_canvas.document.centres().size())
            return;
        const QPointF from = m_canvas.document.centres()[pressed];
        m_movedBy = putDown(from + at - m_from, snaps) - from;
        m_canvas.scene.showMoved(m_moving, m_movedBy);
    }

    void release(const QPointF&) override
    {
        if (!m_isMoving) {
            m_canvas.scene.setCurrentNode(m_pressed);
            return;
        }
        std::vector<std::pair<NodeId, graph::Position>> places;
        for (const std::size_t node : m_moving) {
            const QPointF to = m_canvas.document.places()[node] + m_movedBy;
            places.emplace_back(m_canvas.document.drawing().nodes[node].id,
                                graph::Position{ to.x(), to.y() });
        }
        if (!m_canvas.document.editPlaced(QObject::tr("Move"),
                                          [&](graph::Graph& graph) { moveNodes(graph, places); }))
            cancel();
    }

    void cancel() override { m_canvas.scene.showMoved(m_moving, {}); }

private:
    bool begins(const QPointF& at)
    {
        const QPoint way = m_canvas.view.mapFromScene(at) - m_canvas.view.mapFromScene(m_from);
        if (way.manhattanLength() < QApplication::startDragDistance())
            return false;
        m_isMoving = true;
        for (const NodeId& id : m_canvas.scene.selectedNodes())
            m_moving.push_back(m_canvas.document.drawing().findNode(id));
        return true;
    }

    const EditedCanvas m_canvas;
    const NodeId m_pressed;
    const QPointF m_from;
    bool m_isMoving = false; // false: it may be a click
    std::vector<std::size_t> m_moving;
    QPointF m_movedBy;
};

class Band final : public Gesture {
public:
    Band(const EditedCanvas& canvas, const QPointF& at)
        : m_canvas(canvas)
        , m_from(at)
    {
    }

    void move(const QPointF& at, bool) override
    {
        if (!m_band)
            begin();
        m_band->setRect(QRectF(m_from, at).normalized());
    }

    void release(const QPointF&) override
    {
        std::vector<NodeId> inside;
        if (m_band)
            for (const NodeItem* node : m_canvas.scene.nodes())
                if (m_band->rect().intersects(node->card()))
                    inside.push_back(node->node().id);
        m_band.reset();
        m_canvas.scene.setSelectedNodes(inside);
    }

private:
    void begin()
    {
        m_band = std::make_unique<QGraphicsRectItem>();
        QColor fill = color(&Tokens::accent);
        fill.setAlphaF(0.08F);
        m_band->setBrush(fill);
        QPen pen(color(&Tokens::accent), 1);
        pen.setCosmetic(true);
        m_band->setPen(pen);
        m_band->setZValue(5);
        m_canvas.scene.addItem(m_band.get());
    }

    const EditedCanvas m_canvas;
    const QPointF m_from;
    std::unique_ptr<QGraphicsRectItem> m_band;
};

class EdgeFrom final : public Gesture {
public:
    EdgeFrom(const EditedCanvas& canvas, const std::vector<NodeId>& from, const QPointF& at,
             const EdgeDrawing& drawing)
        : m_canvas(canvas)
        , m_starts(from)
        , m_from(at)
        , m_drawing(drawing)
        , m_line(std::make_unique<QGraphicsPathItem>())
    {
        QPen pen(color(&Tokens::accent), 1.5);
        pen.setDashPattern({ 4, 2.7 });
        m_line->setPen(pen);
        m_line->setZValue(4);
        m_canvas.scene.addItem(m_line.get());
        std::vector<NodeId> ends;
        for (const NodeItem* node : m_canvas.scene.nodes())
            ends.push_back(node->node().id);
        m_faults = connectionFaults(m_canvas.document.graph(), m_starts, ends);
        for (std::size_t i = 0; i < m_faults.size(); ++i)
            m_canvas.scene.nodes()[i]->setOffer(m_faults[i].empty() ? NodeItem::Offer::Possible
                                                                    : NodeItem::Offer::Refused);
        aim(at);
    }
    EdgeFrom(const EdgeFrom&) = delete;
    EdgeFrom& operator=(const EdgeFrom&) = delete;
    ~EdgeFrom() override { m_canvas.scene.clearOffers(); }

    void move(const QPointF& at, bool) override { aim(at); }

    void release(const QPointF& at) override
    {
        m_drawing.hint({});
        const NodeItem* target = nodeAt(m_canvas, at);
        m_canvas.scene.clearOffers();
        if (!target) {
            m_drawing.onGround(at, m_starts, std::move(m_line));
            return;
        }
        const NodeId to = target->node().id;
        m_line.reset();
        // Released near where it was pressed: this was a click on a port, not an edge from the node to
        // itself.
        const QPointF away = at - m_from;
        if (std::hypot(away.x(), away.y()) < kPortReach)
            m_canvas.scene.setCurrentNode(to);
        else
            m_canvas.document.editPlaced(QObject::tr("Connect"),
                                         [&](graph::Graph& graph) { connectNodes(graph, m_starts, to); });
    }

private:
    void aim(const QPointF& at)
    {
        NodeItem* target = nodeAt(m_canvas, at);
        const auto& nodes = m_canvas.scene.nodes();
        const auto index = static_cast<std::size_t>(std::ranges::find(nodes, target) - nodes.begin());
        const std::string fault = index < m_faults.size() ? m_faults[index] : std::string();
        NodeItem* aimed = target && fault.empty() ? target : nullptr;
        if (aimed != m_aimed && m_aimed)
            m_aimed->setOffer(NodeItem::Offer::Possible);
        if (aimed)
            aimed->setOffer(NodeItem::Offer::Aimed);
        m_aimed = aimed;
        drawTo(aimed ? QPointF(aimed->card().left(), aimed->card().center().y()) : at);
        const bool isStart = target && std::ranges::find(m_starts, target->node().id) != m_starts.end();
        m_drawing.hint(aimed || isStart ? QString() : QString::fromStdString(fault));
    }

    void drawTo(const QPointF& end)
    {
        QPainterPath path;
        for (const NodeId& id : m_starts)
            if (const NodeItem* node = m_canvas.scene.findNode(id)) {
                path.moveTo(node->card().right(), node->card().center().y());
                addCurve(path, end);
            }
        m_line->setPath(path);
    }

    const EditedCanvas m_canvas;
    const std::vector<NodeId> m_starts;
    const QPointF m_from;
    const EdgeDrawing m_drawing;
    std::vector<std::string> m_faults; // for each of the scene's nodes: why the edge cannot lead there
    NodeItem* m_aimed = nullptr; // the node that the edge would lead to, or null
    std::unique_ptr<QGraphicsPathItem> m_line;
};

class MoveOfNote final : public Gesture {
public:
    MoveOfNote(const EditedCanvas& canvas, std::size_t note, const QPointF& at)
        : m_canvas(canvas)
        , m_moved(canvas, note)
        , m_from(at)
    {
    }

    void move(const QPointF& at, bool snaps) override
    {
        const QPointF place = NoteItem::rectOf(m_canvas.document.graph().notes[m_moved.note()]).topLeft();
        m_movedBy = putDown(place + at - m_from, snaps) - place;
        m_moved.show(m_movedBy);
    }
    void release(const QPointF&) override { m_moved.moveBy(m_movedBy, {}); }
    void cancel() override { m_moved.show({}); }

private:
    const EditedCanvas m_canvas;
    MovedNote m_moved;
    const QPointF m_from;
    QPointF m_movedBy;
};

class SizeOfNote final : public Gesture {
public:
    SizeOfNote(const EditedCanvas& canvas, std::size_t note, const QPointF& at)
        : m_canvas(canvas)
        , m_note(note)
        , m_from(at)
    {
    }

    void move(const QPointF& at, bool snaps) override
    {
        const QRectF rect = NoteItem::rectOf(m_canvas.document.graph().notes[m_note]);
        const QPointF size = rect.bottomRight() + at - m_from - rect.topLeft();
        const QPointF wanted = snaps ? onGrid(size) : size;
        m_canvas.scene.notes()[m_note]->setSize({ wanted.x(), wanted.y() });
    }
    void release(const QPointF&) override
    {
        if (!resizeShownNote(m_canvas, m_note))
            cancel();
    }
    void cancel() override
    {
        m_canvas.scene.notes()[m_note]->setNote(m_canvas.document.graph().notes[m_note]);
    }

private:
    const EditedCanvas m_canvas;
    const std::size_t m_note;
    const QPointF m_from;
};

} // namespace

std::unique_ptr<Gesture> moveOfNodes(const EditedCanvas& canvas, const NodeId& pressed, const QPointF& at)
{
    return std::make_unique<MoveOfNodes>(canvas, pressed, at);
}

std::unique_ptr<Gesture> bandFrom(const EditedCanvas& canvas, const QPointF& at)
{
    return std::make_unique<Band>(canvas, at);
}

std::unique_ptr<Gesture> gestureOnNote(const EditedCanvas& canvas, const QPointF& at)
{
    const std::size_t note = noteAt(canvas, at);
    if (note == kNoNote)
        return nullptr;
    const bool onCorner =
        note == canvas.scene.currentNote() && canvas.scene.notes()[note]->cornerRect().contains(at);
    canvas.scene.setCurrentNote(note);
    if (onCorner)
        return std::make_unique<SizeOfNote>(canvas, note, at);
    return std::make_unique<MoveOfNote>(canvas, note, at);
}

std::unique_ptr<Gesture> edgeFrom(const EditedCanvas& canvas, const std::vector<NodeId>& from,
                                  const QPointF& at, const EdgeDrawing& drawing)
{
    return std::make_unique<EdgeFrom>(canvas, from, at, drawing);
}

} // namespace sg::ui
