#include "ui/graph/scene/edge_item.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"
#include "ui/graph/scene/note_item.h"

#include <algorithm>
#include <utility>

// The scene's items follow the document's nodes, edges and joins. Unchanged parts keep their items, so that a
// step in a graph of thousands of nodes costs only what it changes.
namespace sg::ui {

namespace {

QString edgeToolTip(const GraphDrawing& drawing, const DrawnEdge& edge)
{
    const QString from = QString::fromStdString(drawing.nodes[edge.from].id.value);
    if (edge.open)
        return GraphScene::tr("After %1 the run goes where its branch decides.").arg(from).toHtmlEscaped();
    QString text =
        QStringLiteral("%1 → %2").arg(from, QString::fromStdString(drawing.nodes[edge.to].id.value));
    if (edge.ofCommand)
        text += GraphScene::tr(" (where %1 says so)").arg(from);
    if (!edge.label.empty())
        text += QStringLiteral(" (%1)").arg(QString::fromStdString(edge.label));
    // Escaped, because a node's name could contain markup.
    return text.toHtmlEscaped();
}

template<typename Item>
void removeFrom(QGraphicsScene& scene, Item*& item)
{
    if (item)
        scene.removeItem(item);
    delete std::exchange(item, nullptr);
}

} // namespace

void GraphScene::takeStructure()
{
    const std::optional<EdgeKey> current = takeCurrentEdge();
    Q_EMIT aboutToRebuild();
    setEdgeStates({});
    route();
    m_routedFor = m_document.drawing();
    const std::vector<NodeItem*> oldNodes = m_nodes;
    takeNodes();
    takeEdges(oldNodes);
    takeJoins();
    takeNotes();
    std::vector<NodeItem*> kept = m_nodes;
    std::ranges::sort(kept);
    for (NodeItem* node : oldNodes) // last, because edges were compared with them
        if (!std::ranges::binary_search(kept, node)) {
            if (const auto known = m_byId.find(node->node().id); known->second == node)
                m_byId.erase(known);
            removeFrom(*this, node);
        }
    measure();
    std::erase_if(m_selected, [this](const NodeId& id) { return !findNode(id); });
    if (!m_current.empty() && !findNode(m_current))
        setCurrentNode({});
    if (current)
        restoreCurrentEdge(*current);
    updateTimer();
}

// A key of the current edge that outlives its index. No edge is current afterwards, but no signal is emitted
// yet.
std::optional<GraphScene::EdgeKey> GraphScene::takeCurrentEdge()
{
    if (m_currentEdge == kNoEdge)
        return std::nullopt;
    EdgeItem* item = m_edges[std::exchange(m_currentEdge, kNoEdge)];
    item->setCurrent(false);
    const DrawnEdge& edge = item->drawn();
    return EdgeKey{ m_nodes[edge.from]->node().id,
                    m_nodes[edge.to]->node().id,
                    edge.label,
                    m_edges.size(),
                    edge.ofBranch,
                    edge.ofCommand,
                    edge.part,
                    edge.target };
}

// Finds the edge at the same place, which may have a new name or target, if the number of edges is the same;
// else the one with the same target and label.
void GraphScene::restoreCurrentEdge(const EdgeKey& key)
{
    const auto& edges = m_document.drawing().edges;
    const auto& nodes = m_document.drawing().nodes;
    for (std::size_t i = 0; i < edges.size() && m_currentEdge == kNoEdge; ++i) {
        const DrawnEdge& edge = edges[i];
        if (edge.ofBranch != key.ofBranch || edge.ofCommand != key.ofCommand
            || nodes[edge.from].id != key.from)
            continue;
        const bool samePlace =
            edges.size() == key.count && edge.part == key.part && edge.target == key.target;
        if (samePlace || (nodes[edge.to].id == key.to && edge.label == key.label))
            m_currentEdge = i;
    }
    if (m_currentEdge != kNoEdge)
        m_edges[m_currentEdge]->setCurrent(true);
    Q_EMIT currentEdgeChanged();
}

void GraphScene::takeNodes()
{
    const GraphDrawing& drawing = m_document.drawing();
    std::vector<NodeItem*> nodes;
    m_byId.reserve(drawing.nodes.size());
    nodes.reserve(drawing.nodes.size());
    std::size_t next = 0; // of the old nodes; most keep their order
    for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
        const DrawnNode& node = drawing.nodes[i];
        NodeItem* item = nullptr;
        if (next < m_nodes.size() && m_nodes[next]->node().id == node.id) {
            item = m_nodes[next++];
        } else if (const auto known = m_byId.find(node.id); known != m_byId.end()) {
            item = known->second;
            next = item->index() + 1;
        }
        if (item && item->node().kind == node.kind) {
            item->setNode(node, m_routes.ports[i]);
        } else {
            item = new NodeItem(node, m_routes.ports[i]);
            addItem(item);
            m_byId.insert_or_assign(node.id, item);
            const auto state = m_states.find(node.id);
            if (state != m_states.end())
                item->setState(state->second);
            item->setSelected(node.id == m_current
                              || std::ranges::find(m_selected, node.id) != m_selected.end());
        }
        item->setInside(m_document.insideOf(node));
        item->setConnectable(m_document.isEditable());
        item->setFaint(!isKept(*item));
        item->setPos(nodeRect(node, m_document.centres()[i]).topLeft());
        nodes.push_back(item);
    }
    m_nodes = std::move(nodes);
    for (std::size_t i = 0; i < m_nodes.size(); ++i)
        m_nodes[i]->setIndex(i);
}

// A step changes one run of the edges: those before and after it keep their items.
void GraphScene::takeEdges(const std::vector<NodeItem*>& oldNodes)
{
    const std::vector<DrawnEdge>& edges = m_document.drawing().edges;
    const auto same = [&](std::size_t before, std::size_t now) {
        const DrawnEdge& old = m_edges[before]->drawn();
        const DrawnEdge& edge = edges[now];
        return oldNodes[old.from] == m_nodes[edge.from] && oldNodes[old.to] == m_nodes[edge.to]
            && old.label == edge.label && old.open == edge.open && old.ofCommand == edge.ofCommand
            && (m_labels[before] == nullptr) == m_routes.edges[now].label.isNull();
    };
    const std::size_t common = std::min(m_edges.size(), edges.size());
    std::size_t head = 0;
    while (head < common && same(head, head))
        ++head;
    std::size_t tail = 0;
    while (tail < common - head && same(m_edges.size() - 1 - tail, edges.size() - 1 - tail))
        ++tail;
    for (std::size_t i = head; i < m_edges.size() - tail; ++i)
        dropEdge(i);
    const auto resize = [&](auto& items) {
        const auto from = items.begin() + static_cast<std::ptrdiff_t>(head);
        items.erase(from, items.end() - static_cast<std::ptrdiff_t>(tail));
        items.insert(items.begin() + static_cast<std::ptrdiff_t>(head), edges.size() - head - tail, nullptr);
    };
    resize(m_edges);
    resize(m_labels);
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (!m_edges[i]) {
            addEdge(i);
            continue;
        }
        m_edges[i]->setDrawn(edges[i]);
        kept.push_back(i);
    }
    for (const std::size_t edge : kept)
        showRoute(edge, m_routes.edges[edge]);
}

void GraphScene::dropEdge(std::size_t index)
{
    removeFrom(*this, m_edges[index]);
    removeFrom(*this, m_labels[index]);
}

void GraphScene::addEdge(std::size_t index)
{
    const GraphDrawing& drawing = m_document.drawing();
    const DrawnEdge& edge = drawing.edges[index];
    const EdgeRoute& route = m_routes.edges[index];
    m_edges[index] = new EdgeItem(route, edge.open || edge.ofCommand, edgeToolTip(drawing, edge));
    m_edges[index]->setDrawn(edge);
    addItem(m_edges[index]);
    if (!route.label.isNull()) {
        m_labels[index] = new EdgeLabelItem(route.label, labelPillText(edge.label));
        addItem(m_labels[index]);
    }
}

void GraphScene::takeJoins()
{
    const GraphDrawing& drawing = m_document.drawing();
    const auto expected = [&](std::size_t i) { return static_cast<int>(drawing.joins[i].edges.size()); };
    for (std::size_t i = 0; i < m_joins.size(); ++i)
        if (i >= drawing.joins.size() || m_joins[i]->expected() != expected(i)) {
            removeFrom(*this, m_joins[i]);
            removeFrom(*this, m_joinExits[i]);
        }
    m_joins.resize(drawing.joins.size(), nullptr);
    m_joinExits.resize(drawing.joins.size(), nullptr);
    for (std::size_t i = 0; i < m_joins.size(); ++i) {
        if (m_joins[i]) {
            m_joins[i]->setRoute(m_routes.joins[i]);
            m_joinExits[i]->setRoute(m_routes.joins[i].exit);
            continue;
        }
        m_joinExits[i] = new EdgeItem(m_routes.joins[i].exit, false, {});
        addItem(m_joinExits[i]);
        m_joins[i] = new JoinItem(m_routes.joins[i], expected(i));
        addItem(m_joins[i]);
    }
}

void GraphScene::takeNotes()
{
    const std::vector<graph::Note>& notes = m_document.graph().notes;
    if (m_currentNote != kNoNote && m_currentNote >= notes.size())
        setCurrentNote(kNoNote);
    for (std::size_t i = notes.size(); i < m_notes.size(); ++i)
        removeFrom(*this, m_notes[i]);
    m_notes.resize(notes.size(), nullptr);
    for (std::size_t i = 0; i < notes.size(); ++i) {
        if (m_notes[i]) {
            m_notes[i]->setNote(notes[i]);
            continue;
        }
        m_notes[i] = new NoteItem(notes[i]);
        addItem(m_notes[i]);
    }
}

} // namespace sg::ui
