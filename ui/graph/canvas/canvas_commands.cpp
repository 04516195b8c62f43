#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/edits/graph_clipboard.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/kind_look.h"
#include "ui/graph/panels/node_palette.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>

#include <algorithm>
#include <cmath>

// Keys, menus and the commands that they call.
namespace sg::ui {
namespace {

constexpr double kCommandGrid = 20;
constexpr double kColumn = 220; // distance between the centres of a card and the one that follows it
constexpr double kCommandRow = 80;
constexpr const char* kClipboardMime = "application/x-sandglass-graph";

bool isJoin(const QString& entry)
{
    return entry == QLatin1String(kBranchEntry) || entry == QLatin1String(kWaitingEntry);
}

// Without Start and End.
std::vector<NodeId> cardsAmong(std::vector<NodeId> nodes)
{
    std::erase_if(nodes,
                  [](const NodeId& id) { return id.value == graph::kStart || id.value == graph::kEnd; });
    return nodes;
}

QString clipboardText()
{
    const QMimeData* data = QGuiApplication::clipboard()->mimeData();
    return data && data->hasText() ? data->text() : QString();
}

} // namespace

bool CanvasEditor::keyPressed(const QKeyEvent& event)
{
    if (!m_document.isEditable())
        return false;
    if (event.key() == Qt::Key_Escape && m_gesture != Gesture::None) {
        cancel();
        return true;
    }
    if (event.key() == Qt::Key_Tab && event.modifiers() == Qt::NoModifier) {
        m_actions.add->trigger();
        return true;
    }
    if (event.key() == Qt::Key_Backspace && event.modifiers() == Qt::NoModifier) {
        m_actions.remove->trigger();
        return true;
    }
    const bool isNote = m_scene.currentNote() != kNoNote;
    if (isNote && (event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter)) {
        writeNote(m_scene.currentNote());
        return true;
    }
    if (m_scene.currentEdge() != kNoEdge && event.key() == Qt::Key_Escape) {
        m_scene.setCurrentEdge(kNoEdge);
        m_scene.setCurrentNode(m_scene.findNode(m_walked) ? m_walked : NodeId());
        return true;
    }
    if (isNote && event.key() == Qt::Key_Escape) {
        m_scene.setCurrentNote(kNoNote);
        return true;
    }
    if ((event.modifiers() & ~Qt::KeypadModifier) != Qt::ControlModifier
        || (!isNote && m_scene.selectedNodes().empty()))
        return false;
    const auto by = [&]() -> QPointF {
        switch (event.key()) {
        case Qt::Key_Left: return { -kCommandGrid, 0 };
        case Qt::Key_Right: return { kCommandGrid, 0 };
        case Qt::Key_Up: return { 0, -kCommandGrid };
        case Qt::Key_Down: return { 0, kCommandGrid };
        default: return {};
        }
    }();
    if (by.isNull())
        return false;
    if (isNote)
        nudgeNote(by);
    else
        nudge(by);
    return true;
}

// Selects the next edge of the current node, or of the whole graph if no node was chosen.
void CanvasEditor::walkEdges()
{
    if (!m_scene.currentNode().empty())
        m_walked = m_scene.currentNode();
    const auto& edges = m_document.drawing().edges;
    const std::size_t node = m_document.drawing().findNode(m_walked);
    const bool all = node >= m_document.drawing().nodes.size();
    const std::size_t first = m_scene.currentEdge() == kNoEdge ? 0 : m_scene.currentEdge() + 1;
    for (std::size_t k = 0; k < edges.size(); ++k) {
        const std::size_t i = (first + k) % edges.size();
        if (!all && edges[i].from != node && edges[i].to != node)
            continue;
        m_scene.setCurrentEdge(i);
        return;
    }
}

void CanvasEditor::nudge(const QPointF& by)
{
    std::vector<std::pair<NodeId, graph::Position>> places;
    QString names;
    for (const NodeId& id : m_scene.selectedNodes()) {
        const QPointF to = m_document.centres()[m_document.drawing().findNode(id)] + by;
        places.emplace_back(id, graph::Position{ to.x(), to.y() });
        names += QString::fromStdString(id.value) + QLatin1Char('/');
    }
    m_document.editPlaced(
        tr("Move"), [&](graph::Graph& graph) { moveNodes(graph, places); }, QStringLiteral("move/") + names);
    m_view.reveal(m_scene.currentNode());
}

void CanvasEditor::removeSelected()
{
    if (m_scene.currentNote() != kNoNote)
        return removeCurrentNote();
    const std::size_t edge = m_scene.currentEdge();
    if (edge != kNoEdge) {
        const DrawnEdge drawn = m_document.drawing().edges[edge];
        const NodeId from = m_document.drawing().nodes[drawn.from].id;
        m_document.editPlaced(tr("Delete edge"), [&](graph::Graph& graph) {
            if (drawn.open)
                removeBranch(graph, drawn.part);
            else if (drawn.ofBranch)
                removeTarget(graph, drawn.part, drawn.target);
            else
                removeEdge(graph, drawn.part, from);
        });
        return;
    }
    const std::vector<NodeId> nodes = m_scene.selectedNodes();
    const QString title = nodes.size() == 1 ? tr("Delete %1").arg(QString::fromStdString(nodes.front().value))
                                            : tr("Delete nodes");
    m_document.editPlaced(title, [&](graph::Graph& graph) { removeNodes(graph, nodes); });
}

void CanvasEditor::copySelected()
{
    const std::string text = textOfNodes(m_document.graph(), m_scene.selectedNodes());
    if (text.empty())
        return;
    auto* data = new QMimeData;
    data->setText(QString::fromStdString(text));
    data->setData(QString::fromLatin1(kClipboardMime), QByteArray::fromStdString(text));
    QGuiApplication::clipboard()->setMimeData(data);
}

void CanvasEditor::paste()
{
    const std::string text = clipboardText().toStdString();
    std::vector<NodeId> pasted;
    m_document.editPlaced(tr("Paste"), [&](graph::Graph& graph) {
        pasted = pasteNodes(graph, text, { kCommandGrid * 2, kCommandRow });
    });
    if (!pasted.empty()) {
        m_scene.setSelectedNodes(pasted);
        m_view.reveal(pasted.back());
    } else {
        Q_EMIT hinted(tr("The clipboard holds no nodes."));
    }
}

void CanvasEditor::toggle(bool before)
{
    const NodeId node = m_scene.currentNode();
    m_document.edit(before ? tr("Pause before") : tr("Pause after"), [&](graph::Graph& graph) {
        toggleBreakpoint(graph, node, before ? Breakpoint::Before : Breakpoint::After);
    });
    updateActions(); // a checkable action toggles itself, even where the edit changed nothing
}

void CanvasEditor::popUpKinds(const QPoint& viewportPos, const std::vector<NodeId>& from)
{
    const bool atPointer = viewportPos.x() >= 0;
    m_from = from;
    m_paletteConnects = false;
    if (atPointer) {
        m_placeAt = m_view.mapToScene(viewportPos);
        if (!from.empty()) // the drawn line should end at the left side of the new card
            m_placeAt.rx() += kCardWidth / 2;
    } else {
        m_placeAt = freePlace();
        const NodeId current = m_scene.currentNode();
        if (!current.empty() && current.value != graph::kEnd)
            m_from = { current };
    }
    m_palette->setEntries(nodeKindEntries());
    const QPoint at = atPointer ? viewportPos : m_view.mapFromScene(m_placeAt);
    m_palette->popUp(m_view.viewport()->mapToGlobal(at), tr("Add node"));
}

void CanvasEditor::popUpTargets()
{
    const NodeId current = m_scene.currentNode();
    if (current.empty())
        return;
    m_from = startsAt(current);
    m_paletteConnects = true;
    std::vector<PaletteEntry> entries;
    for (const NodeItem* node : m_scene.nodes()) {
        const DrawnNode& drawn = node->node();
        if (!connectionFault(m_document.graph(), m_from, drawn.id).empty())
            continue;
        const bool isCard = drawn.kind == DrawnNode::Kind::Card;
        entries.push_back({ QString::fromStdString(drawn.id.value),
                            node->title(),
                            isCard ? nodeKindTitle(drawn.nodeKind) : QString(),
                            isCard ? iconOfKind(drawn.nodeKind) : QLatin1String("check"),
                            {} });
    }
    m_palette->setEntries(entries);
    const NodeItem* item = m_scene.findNode(current);
    const QPoint at = item ? m_view.mapFromScene(item->card().bottomLeft() + QPointF(0, 8)) : QPoint();
    m_palette->popUp(m_view.viewport()->mapToGlobal(at), tr("Connect to…"));
}

// A free place right of the current node, or in the middle of the view; lower if cards are in the way.
QPointF CanvasEditor::freePlace() const
{
    const NodeItem* current = m_scene.findNode(m_scene.currentNode());
    QPointF at = m_view.visibleRect().center();
    if (current)
        at = current->card().center() + QPointF(kColumn, 0);
    at = QPointF(std::round(at.x() / kCommandGrid) * kCommandGrid,
                 std::round(at.y() / kCommandGrid) * kCommandGrid);
    const auto taken = [&](const QPointF& place) {
        const QRectF card(place - QPointF(kCardWidth / 2 + 12, kCardHeight / 2 + 8),
                          QSizeF(kCardWidth + 24, kCardHeight + 16));
        return std::ranges::any_of(m_scene.nodes(), [&](const NodeItem* node) {
            return node->node().kind == DrawnNode::Kind::Card && node->card().intersects(card);
        });
    };
    while (taken(at))
        at.ry() += kCommandRow;
    return at;
}

void CanvasEditor::joinSelected(const QString& entry)
{
    if (entry == QLatin1String(kBranchEntry)) {
        if (m_actions.branch->isEnabled())
            m_actions.branch->trigger();
        else
            Q_EMIT hinted(tr("Select the node that shall branch, then choose Branch."));
        return;
    }
    if (cardsAmong(m_scene.selectedNodes()).size() < 2)
        Q_EMIT hinted(tr("Select the nodes to wait for, then choose Waiting edge."));
    else
        popUpTargets();
}

// Where it is dropped says which node branches, or which one waits for those that are selected.
void CanvasEditor::dropJoin(const QString& entry, const QPointF& at)
{
    const NodeItem* node = nodeAt(at);
    const std::vector<NodeId> starts = cardsAmong(m_scene.selectedNodes());
    if (entry == QLatin1String(kBranchEntry)) {
        m_scene.setCurrentNode(node != nullptr ? node->node().id : NodeId());
        joinSelected(entry);
    } else if (node == nullptr || starts.size() < 2) {
        Q_EMIT hinted(tr("Select the nodes to wait for, then drop the waiting edge on the node that waits."));
    } else if (const std::string fault = connectionFault(m_document.graph(), starts, node->node().id);
               !fault.empty()) {
        Q_EMIT hinted(QString::fromStdString(fault));
    } else {
        m_document.editPlaced(tr("Connect"), [&, to = node->node().id](graph::Graph& graph) {
            connectNodes(graph, starts, to);
        });
    }
}

void CanvasEditor::place(const QString& kind, const QPointF& at, const std::vector<NodeId>& from)
{
    const graph::Position position{ std::round(at.x() / kCommandGrid) * kCommandGrid,
                                    std::round(at.y() / kCommandGrid) * kCommandGrid };
    NodeId added;
    const bool first = m_document.isEmpty();
    m_document.editPlaced(tr("Add %1").arg(nodeKindTitle(kind.toStdString())), [&](graph::Graph& graph) {
        added = addNode(graph, kind.toStdString(), position);
        if (!from.empty())
            connectNodes(graph, from, added);
    });
    m_scene.setCurrentNode(added);
    if (first)
        m_view.fitAll();
    else
        m_view.reveal(added);
}

void CanvasEditor::addNodeOfKind(const QString& kind)
{
    if (isJoin(kind)) {
        m_view.setFocus();
        joinSelected(kind);
        return;
    }
    const NodeId current = m_scene.currentNode();
    const bool follows = !current.empty() && current.value != graph::kEnd;
    place(kind, freePlace(), follows ? std::vector<NodeId>{ current } : std::vector<NodeId>());
}

bool CanvasEditor::takes(const QMimeData& data) const
{
    return m_document.isEditable() && data.hasFormat(QString::fromLatin1(kNodeKindMime));
}

bool CanvasEditor::dropped(const QMimeData& data, const QPoint& at)
{
    if (!takes(data))
        return false;
    const QString kind = QString::fromUtf8(data.data(QString::fromLatin1(kNodeKindMime)));
    const auto kinds = nodeKindEntries();
    if (std::ranges::find(kinds, kind, &PaletteEntry::id) == kinds.end())
        return false; // the drag came from another program
    if (isJoin(kind))
        dropJoin(kind, m_view.mapToScene(at));
    else
        place(kind, m_view.mapToScene(at), {});
    m_view.setFocus();
    return true;
}

void CanvasEditor::showMenu(const QPoint& viewportPos)
{
    if (!m_document.isEditable())
        return;
    QPoint at = viewportPos;
    if (at.x() >= 0) {
        const NodeItem* node = nodeAt(m_view.mapToScene(at));
        if (node && !node->isSelected())
            m_scene.setCurrentNode(node->node().id);
        else if (!node)
            selectGroundAt(at);
    } else if (const NodeItem* node = m_scene.findNode(m_scene.currentNode())) {
        at = m_view.mapFromScene(node->card().bottomLeft());
    }
    QMenu menu(&m_view);
    if (!m_scene.currentNode().empty()) {
        menu.addActions({ m_actions.connect, m_actions.branch, m_actions.rename });
        menu.addSeparator();
        menu.addActions(m_nodeVerbs);
        if (!m_nodeVerbs.isEmpty())
            menu.addSeparator();
        menu.addActions({ m_actions.breakBefore, m_actions.breakAfter, m_actions.pin });
        menu.addSeparator();
        menu.addActions({ m_actions.cut, m_actions.copy, m_actions.duplicate, m_actions.remove });
        if (m_scene.selectedNodes().size() > 1) {
            menu.addSeparator();
            QMenu* align = menu.addMenu(tr("Ali&gn"));
            for (QAction* action : m_actions.align)
                align->addAction(action);
        }
        menu.addSeparator();
        if (m_actions.inside->isEnabled())
            menu.addActions({ m_actions.inside, m_actions.dissolve });
        menu.addActions({ m_actions.extract, m_actions.frame });
    } else if (m_scene.currentEdge() != kNoEdge) {
        menu.addAction(m_actions.remove);
    } else if (m_scene.currentNote() != kNoNote) {
        QAction* write = menu.addAction(tr("&Write"));
        connect(
            write, &QAction::triggered, this, [this] { writeNote(m_scene.currentNote()); },
            Qt::QueuedConnection);
        menu.addAction(m_actions.remove);
    } else {
        QAction* add = menu.addAction(icon(QLatin1String("plus")), tr("Add node…"));
        connect(
            add, &QAction::triggered, this, [this, at] { popUpKinds(at, {}); }, Qt::QueuedConnection);
        menu.addActions({ m_actions.note, m_actions.frame });
        menu.addSeparator();
        menu.addActions({ m_actions.paste, m_actions.selectAll, m_actions.arrange });
    }
    menu.exec(m_view.viewport()->mapToGlobal(at));
}

} // namespace sg::ui
