#include "ui/graph/scene/edge_item.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"
#include "ui/graph/scene/note_item.h"

#include <algorithm>

// The scene follows steps of the document and keeps the selection.
namespace sg::ui {

void GraphScene::takeEdit()
{
    if (!fitsItems()) {
        rebuild();
    } else {
        route();
        updateItems();
        measure();
    }
    Q_EMIT edited();
}

// Reuses the routes that did not change.
void GraphScene::route()
{
    const RouteInput input{ m_document.drawing(), m_document.centres(), m_document.bends(), labelPillWidth };
    m_routes =
        m_routedAt.empty() ? routeEdges(input) : routeEdgesAnew(input, { m_routedFor, m_routedAt, m_routes });
    m_routedAt = m_document.bends().empty() ? m_document.centres() : std::vector<QPointF>();
}

// Tells whether the items match the document's nodes and edges, apart from places and texts.
bool GraphScene::fitsItems() const
{
    const GraphDrawing& drawing = m_document.drawing();
    if (drawing.nodes.size() != m_nodes.size() || drawing.edges.size() != m_edges.size()
        || drawing.joins.size() != m_joins.size())
        return false;
    for (std::size_t i = 0; i < m_nodes.size(); ++i)
        if (m_nodes[i]->node().id != drawing.nodes[i].id || m_nodes[i]->node().kind != drawing.nodes[i].kind)
            return false;
    for (std::size_t i = 0; i < m_edges.size(); ++i)
        if (m_edges[i]->drawn() != drawing.edges[i])
            return false;
    return true;
}

void GraphScene::updateItems()
{
    const GraphDrawing& drawing = m_document.drawing();
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        m_nodes[i]->setNode(drawing.nodes[i], m_routes.ports[i]);
        m_nodes[i]->setInside(m_document.insideOf(drawing.nodes[i]));
        m_nodes[i]->setPos(nodeRect(drawing.nodes[i], m_document.centres()[i]).topLeft());
    }
    for (std::size_t i = 0; i < m_edges.size(); ++i)
        showRoute(i, m_routes.edges[i]);
    for (std::size_t i = 0; i < m_joins.size(); ++i) {
        m_joins[i]->setRoute(m_routes.joins[i]);
        m_joinExits[i]->setRoute(m_routes.joins[i].exit);
    }
    takeNotes();
}

void GraphScene::showRoute(std::size_t edge, const EdgeRoute& route)
{
    m_edges[edge]->setRoute(route);
    if (m_labels[edge])
        m_labels[edge]->setRect(route.label);
}

// Only the edges of the moved nodes and of their neighbours are routed again: a drag must keep up with the
// pointer in a graph of thousands of nodes.
void GraphScene::showMoved(const std::vector<std::size_t>& nodes, const QPointF& by)
{
    const GraphDrawing& drawing = m_document.drawing();
    std::vector<QPointF> centres = m_document.centres();
    std::vector<bool> moved(drawing.nodes.size(), false);
    for (const std::size_t node : nodes) {
        centres[node] += by;
        moved[node] = true;
        m_nodes[node]->setPos(nodeRect(drawing.nodes[node], centres[node]).topLeft());
    }
    std::vector<bool> touched = moved; // nodes whose ports may change
    for (const DrawnEdge& edge : drawing.edges)
        if (moved[edge.from] || moved[edge.to])
            touched[edge.from] = true;
    std::vector<bool> joined(drawing.joins.size(), false);
    for (const DrawnEdge& edge : drawing.edges)
        if (edge.join != kNoJoin && (touched[edge.from] || moved[edge.to]))
            joined[edge.join] = true;
    GraphDrawing part{ .nodes = drawing.nodes };
    std::vector<std::size_t> edges;
    std::vector<std::size_t> newJoin(drawing.joins.size(), kNoJoin);
    for (std::size_t i = 0; i < joined.size(); ++i)
        if (joined[i]) {
            newJoin[i] = part.joins.size();
            part.joins.push_back({ drawing.joins[i].to, {} });
        }
    for (std::size_t i = 0; i < drawing.edges.size(); ++i) {
        DrawnEdge edge = drawing.edges[i];
        const bool inJoin = edge.join != kNoJoin && joined[edge.join];
        if (!inJoin && (edge.join != kNoJoin || (!touched[edge.from] && !moved[edge.to])))
            continue;
        if (inJoin) {
            edge.join = newJoin[edge.join];
            part.joins[edge.join].edges.push_back(part.edges.size());
        }
        part.edges.push_back(std::move(edge));
        edges.push_back(i);
    }
    const Routes routes = routeEdges({ part, centres, {}, labelPillWidth });
    for (std::size_t i = 0; i < edges.size(); ++i)
        showRoute(edges[i], routes.edges[i]);
    for (std::size_t i = 0; i < newJoin.size(); ++i)
        if (newJoin[i] != kNoJoin) {
            m_joins[i]->setRoute(routes.joins[newJoin[i]]);
            m_joinExits[i]->setRoute(routes.joins[newJoin[i]].exit);
        }
    for (std::size_t i = 0; i < touched.size(); ++i)
        if (touched[i])
            m_nodes[i]->setPorts(routes.ports[i]);
}

void GraphScene::clearOffers()
{
    for (NodeItem* node : m_nodes)
        node->setOffer(NodeItem::Offer::None);
}

void GraphScene::setCurrentNode(const NodeId& id)
{
    setSelectedNodes(id.empty() ? std::vector<NodeId>() : std::vector<NodeId>{ id });
}

void GraphScene::setSelectedNodes(const std::vector<NodeId>& ids)
{
    const NodeId current = ids.empty() ? NodeId() : ids.back();
    if (current == m_current && ids == m_selected)
        return;
    if (!ids.empty()) {
        setCurrentEdge(kNoEdge);
        setCurrentNote(kNoNote);
    }
    for (const NodeId& id : m_selected)
        if (NodeItem* before = findNode(id))
            before->setSelected(false);
    m_selected = ids;
    for (const NodeId& id : m_selected)
        if (NodeItem* now = findNode(id))
            now->setSelected(true);
    const bool isOther = current != m_current;
    m_current = current;
    Q_EMIT selectedNodesChanged();
    if (isOther)
        Q_EMIT currentNodeChanged(QString::fromStdString(current.value));
}

std::vector<NodeId> GraphScene::selectedNodes() const
{
    std::vector<const NodeItem*> nodes;
    for (const NodeId& id : m_selected)
        if (const NodeItem* node = findNode(id))
            nodes.push_back(node);
    std::ranges::sort(nodes, {}, &NodeItem::index);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    std::vector<NodeId> ids;
    for (const NodeItem* node : nodes)
        ids.push_back(node->node().id);
    return ids;
}

void GraphScene::setCurrentEdge(std::size_t index)
{
    if (index == m_currentEdge || (index != kNoEdge && index >= m_edges.size()))
        return;
    if (m_currentEdge != kNoEdge)
        m_edges[m_currentEdge]->setCurrent(false);
    m_currentEdge = index;
    if (index != kNoEdge) {
        setSelectedNodes({});
        setCurrentNote(kNoNote);
        m_edges[index]->setCurrent(true);
    }
    Q_EMIT currentEdgeChanged();
}

void GraphScene::setCurrentNote(std::size_t index)
{
    if (index == m_currentNote || (index != kNoNote && index >= m_notes.size()))
        return;
    if (m_currentNote < m_notes.size())
        m_notes[m_currentNote]->setCurrent(false);
    m_currentNote = index;
    if (index != kNoNote) {
        setSelectedNodes({});
        setCurrentEdge(kNoEdge);
        m_notes[index]->setCurrent(true);
    }
    Q_EMIT currentNoteChanged();
}

} // namespace sg::ui
