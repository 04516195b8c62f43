#include "ui/graph/canvas/node_adder.h"

#include "ui/graph/canvas/canvas_commands.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/kind_look.h"
#include "ui/graph/panels/node_palette.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"

#include <QGraphicsItem>
#include <QMimeData>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr double kColumn = 220; // distance between the centres of a card and the one that follows it
constexpr double kRow = 80;

bool isJoin(const QString& entry)
{
    return entry == QLatin1String(kBranchEntry) || entry == QLatin1String(kWaitingEntry);
}

} // namespace

NodeAdder::NodeAdder(const EditedCanvas& canvas, QObject* parent)
    : QObject(parent)
    , m_canvas(canvas)
    , m_popup(new NodePopup(&canvas.view))
{
    connect(m_popup, &NodePopup::chosen, this, &NodeAdder::choose);
    connect(m_popup, &NodePopup::dismissed, this, &NodeAdder::dropLine);
}

NodeAdder::~NodeAdder() = default;

void NodeAdder::dropLine()
{
    m_canvas.scene.clearOffers();
    m_line.reset();
}

void NodeAdder::choose(const QString& entry)
{
    dropLine();
    if (m_connects) {
        m_canvas.document.editPlaced(tr("Connect"), [&](graph::Graph& graph) {
            connectNodes(graph, m_from, NodeId(entry.toStdString()));
        });
    } else if (isJoin(entry)) {
        join(entry);
        return; // a popup of its targets may be open
    } else {
        place(entry, m_placeAt, m_from);
    }
    m_canvas.view.setFocus();
}

void NodeAdder::popUpKinds(const QPoint& viewportPos, const std::vector<NodeId>& from,
                           std::unique_ptr<QGraphicsItem> line)
{
    const bool atPointer = viewportPos.x() >= 0;
    m_line = std::move(line);
    m_from = from;
    m_connects = false;
    if (atPointer) {
        m_placeAt = m_canvas.view.mapToScene(viewportPos);
        if (!from.empty()) // the drawn line should end at the left side of the new card
            m_placeAt.rx() += kCardWidth / 2;
    } else {
        m_placeAt = freePlace();
        if (canLead(m_canvas))
            m_from = { m_canvas.scene.currentNode() };
    }
    const QPoint at = atPointer ? viewportPos : m_canvas.view.mapFromScene(m_placeAt);
    m_popup->popUp(m_canvas.view.viewport()->mapToGlobal(at), nodeKindEntries(), tr("Add node"));
}

void NodeAdder::popUpTargets()
{
    const NodeId current = m_canvas.scene.currentNode();
    if (current.empty())
        return;
    m_from = startsAt(m_canvas, current);
    m_connects = true;
    std::vector<PaletteEntry> entries;
    for (const NodeItem* node : m_canvas.scene.nodes()) {
        const DrawnNode& drawn = node->node();
        if (!connectionFault(m_canvas.document.graph(), m_from, drawn.id).empty())
            continue;
        const bool isCard = drawn.kind == DrawnNode::Kind::Card;
        entries.push_back({ QString::fromStdString(drawn.id.value),
                            node->title(),
                            isCard ? nodeKindTitle(drawn.nodeKind) : QString(),
                            isCard ? iconOfKind(drawn.nodeKind) : QLatin1String("check"),
                            {} });
    }
    const NodeItem* item = m_canvas.scene.findNode(current);
    const QPoint at = item ? m_canvas.view.mapFromScene(item->card().bottomLeft() + QPointF(0, 8)) : QPoint();
    m_popup->popUp(m_canvas.view.viewport()->mapToGlobal(at), entries, tr("Connect to…"));
}

// A free place right of the current node, or in the middle of the view; lower if cards are in the way.
QPointF NodeAdder::freePlace() const
{
    const NodeItem* current = m_canvas.scene.findNode(m_canvas.scene.currentNode());
    QPointF at = onGrid(current ? current->card().center() + QPointF(kColumn, 0)
                                : m_canvas.view.visibleRect().center());
    const auto taken = [&](const QPointF& place) {
        const QRectF card(place - QPointF(kCardWidth / 2 + 12, kCardHeight / 2 + 8),
                          QSizeF(kCardWidth + 24, kCardHeight + 16));
        return std::ranges::any_of(m_canvas.scene.nodes(), [&](const NodeItem* node) {
            return node->node().kind == DrawnNode::Kind::Card && node->card().intersects(card);
        });
    };
    while (taken(at))
        at.ry() += kRow;
    return at;
}

void NodeAdder::join(const QString& entry)
{
    if (entry == QLatin1String(kBranchEntry)) {
        if (m_canvas.document.isEditable() && canLead(m_canvas))
            addBranchToCurrent(m_canvas);
        else
            Q_EMIT hinted(tr("Select the node that shall branch, then choose Branch."));
        return;
    }
    if (withoutTerminals(m_canvas.scene.selectedNodes()).size() < 2)
        Q_EMIT hinted(tr("Select the nodes to wait for, then choose Waiting edge."));
    else
        popUpTargets();
}

// The place of the drop says which node branches, or which one waits for those that are selected.
void NodeAdder::dropJoin(const QString& entry, const QPointF& at)
{
    const NodeItem* node = nodeAt(m_canvas, at);
    const std::vector<NodeId> starts = withoutTerminals(m_canvas.scene.selectedNodes());
    if (entry == QLatin1String(kBranchEntry)) {
        m_canvas.scene.setCurrentNode(node != nullptr ? node->node().id : NodeId());
        join(entry);
    } else if (node == nullptr || starts.size() < 2) {
        Q_EMIT hinted(tr("Select the nodes to wait for, then drop the waiting edge on the node that waits."));
    } else if (const std::string fault = connectionFault(m_canvas.document.graph(), starts, node->node().id);
               !fault.empty()) {
        Q_EMIT hinted(QString::fromStdString(fault));
    } else {
        m_canvas.document.editPlaced(tr("Connect"), [&, to = node->node().id](graph::Graph& graph) {
            connectNodes(graph, starts, to);
        });
    }
}

void NodeAdder::place(const QString& kind, const QPointF& at, const std::vector<NodeId>& from)
{
    const QPointF to = onGrid(m_canvas.document.placeAt(at));
    NodeId added;
    const bool first = m_canvas.document.isEmpty();
    m_canvas.document.editPlaced(
        tr("Add %1").arg(nodeKindTitle(kind.toStdString())), [&](graph::Graph& graph) {
            added = addNode(graph, kind.toStdString(), graph::Position{ to.x(), to.y() });
            if (!from.empty())
                connectNodes(graph, from, added);
        });
    m_canvas.scene.setCurrentNode(added);
    if (first)
        m_canvas.view.fitAll();
    else
        m_canvas.view.reveal(added);
}

void NodeAdder::add(const QString& entry)
{
    if (isJoin(entry)) {
        m_canvas.view.setFocus();
        join(entry);
        return;
    }
    std::vector<NodeId> from;
    if (canLead(m_canvas))
        from.push_back(m_canvas.scene.currentNode());
    place(entry, freePlace(), from);
}

bool NodeAdder::takes(const QMimeData& data) const
{
    return m_canvas.document.isEditable() && data.hasFormat(QString::fromLatin1(kNodeKindMime));
}

bool NodeAdder::drop(const QMimeData& data, const QPoint& viewportPos)
{
    if (!takes(data))
        return false;
    const QString entry = QString::fromUtf8(data.data(QString::fromLatin1(kNodeKindMime)));
    const auto entries = nodeKindEntries();
    if (std::ranges::find(entries, entry, &PaletteEntry::id) == entries.end())
        return false; // the drag came from another program
    const QPointF at = m_canvas.view.mapToScene(viewportPos);
    if (isJoin(entry))
        dropJoin(entry, at);
    else
        place(entry, at, {});
    m_canvas.view.setFocus();
    return true;
}

} // namespace sg::ui
