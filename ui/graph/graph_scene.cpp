#include "ui/graph/graph_scene.h"

#include "ui/graph/edge_item.h"
#include "ui/graph/node_item.h"

#include <QDateTime>
#include <QEvent>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr int kTickMs = 50;
constexpr double kTurnMs = 1200; // of the running arc

QString edgeToolTip(const GraphDrawing& drawing, const DrawnEdge& edge)
{
    const QString from = QString::fromStdString(drawing.nodes[edge.from].id.value);
    if (edge.open)
        return GraphScene::tr("After %1 the run goes where its branch decides.").arg(from).toHtmlEscaped();
    QString text =
        QStringLiteral("%1 → %2").arg(from, QString::fromStdString(drawing.nodes[edge.to].id.value));
    if (!edge.label.empty())
        text += QStringLiteral(" (%1)").arg(QString::fromStdString(edge.label));
    // Escaped, or a node's name could be markup.
    return text.toHtmlEscaped();
}

} // namespace

GraphScene::GraphScene(const GraphDocument& document, QObject* parent)
    : QGraphicsScene(parent)
    , m_document(document)
{
    m_timer.setInterval(kTickMs);
    connect(&m_timer, &QTimer::timeout, this, &GraphScene::tick);
    connect(&m_document, &GraphDocument::graphReset, this, &GraphScene::rebuild);
    connect(&m_document, &GraphDocument::graphEdited, this, &GraphScene::takeEdit);
    rebuild();
}

GraphScene::~GraphScene() = default;

NodeItem* GraphScene::findNode(const NodeId& id) const
{
    const auto found = m_index.find(id);
    return found == m_index.end() ? nullptr : m_nodes[found->second];
}

QRectF GraphScene::contentRect() const
{
    QRectF all = m_routes.bounds();
    for (const NodeItem* node : m_nodes)
        all |= node->card();
    return all;
}

void GraphScene::rebuild()
{
    const bool hadEdge = m_currentEdge != kNoEdge;
    m_currentEdge = kNoEdge;
    Q_EMIT aboutToRebuild();
    clear();
    m_nodes.clear();
    m_edges.clear();
    m_labels.clear();
    m_joins.clear();
    m_joinExits.clear();
    m_index.clear();
    m_edgeStates = {};
    m_routes = routeEdges({ m_document.drawing(), m_document.centres(), m_document.bends(), labelPillWidth });
    addEdges();
    addNodes();
    setSceneRect(contentRect());
    std::erase_if(m_selected, [this](const NodeId& id) { return !findNode(id); });
    if (!m_current.empty() && !findNode(m_current))
        setCurrentNode({});
    Q_EMIT rebuilt();
    if (hadEdge)
        Q_EMIT currentEdgeChanged();
    updateTimer();
}

void GraphScene::addNodes()
{
    const GraphDrawing& drawing = m_document.drawing();
    for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
        auto* item = new NodeItem(drawing.nodes[i], m_routes.ports[i]);
        item->setPos(nodeRect(drawing.nodes[i], m_document.centres()[i]).topLeft());
        addItem(item);
        m_nodes.push_back(item);
        m_index.emplace(drawing.nodes[i].id, i);
        if (const auto state = m_states.find(drawing.nodes[i].id); state != m_states.end())
            item->setState(state->second);
        item->setConnectable(m_document.isEditable());
        item->setConnectable(m_document.isEditable());
        item->setSelected(drawing.nodes[i].id == m_current
                          || std::ranges::find(m_selected, drawing.nodes[i].id) != m_selected.end());
    }
}

void GraphScene::addEdges()
{
    const GraphDrawing& drawing = m_document.drawing();
    for (std::size_t i = 0; i < drawing.edges.size(); ++i) {
        const DrawnEdge& edge = drawing.edges[i];
        const EdgeRoute& route = m_routes.edges[i];
        auto* item = new EdgeItem(route, edge.open, edgeToolTip(drawing, edge));
        item->setDrawn(edge);
        addItem(item);
        m_edges.push_back(item);
        EdgeLabelItem* label = nullptr;
        if (!route.label.isNull()) {
            label = new EdgeLabelItem(route.label, labelPillText(edge.label));
            addItem(label);
        }
        m_labels.push_back(label);
    }
    for (std::size_t i = 0; i < drawing.joins.size(); ++i) {
        auto* exit = new EdgeItem(m_routes.joins[i].exit, false, {});
        addItem(exit);
        m_joinExits.push_back(exit);
        auto* join = new JoinItem(m_routes.joins[i], static_cast<int>(drawing.joins[i].edges.size()));
        addItem(join);
        m_joins.push_back(join);
    }
}

void GraphScene::applyState(std::size_t index, const NodeState& state)
{
    if (m_nodes[index]->state() == state)
        return;
    m_nodes[index]->setState(state);
    Q_EMIT nodeStateChanged(index);
}

void GraphScene::setNodeState(const NodeId& id, const NodeState& state)
{
    const auto found = m_index.find(id);
    if (found == m_index.end())
        return;
    m_states[id] = state;
    applyState(found->second, state);
    updateTimer();
}

void GraphScene::setNodeStates(const NodeStates& states)
{
    m_states = states;
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        const auto state = states.find(m_nodes[i]->node().id);
        applyState(i, state == states.end() ? NodeState{} : state->second);
    }
    updateTimer();
}

void GraphScene::setEdgeStates(const EdgeStates& states)
{
    if (states == m_edgeStates)
        return;
    m_edgeStates = states;
    const auto lookOf = [&](bool taken) {
        return !states.runShown ? EdgeLook::Idle : taken ? EdgeLook::Taken : EdgeLook::NotTaken;
    };
    for (std::size_t i = 0; i < m_edges.size(); ++i) {
        const EdgeLook look = lookOf(i < states.taken.size() && states.taken[i]);
        m_edges[i]->setLook(look);
        if (m_labels[i])
            m_labels[i]->setLook(look);
    }
    for (std::size_t i = 0; i < m_joins.size(); ++i) {
        const int arrived = i < states.arrived.size() ? states.arrived[i] : 0;
        const EdgeLook look = lookOf(arrived >= m_joins[i]->expected());
        m_joins[i]->setArrived(arrived, look);
        m_joinExits[i]->setLook(look);
    }
    Q_EMIT edgeStatesChanged();
}

void GraphScene::setAnimated(bool animated)
{
    m_animated = animated;
    updateTimer();
}

void GraphScene::tick()
{
    const double now = static_cast<double>(QDateTime::currentMSecsSinceEpoch());
    const double turn = m_animated ? std::fmod(now, kTurnMs) / kTurnMs : 0;
    bool moving = false;
    for (NodeItem* node : m_nodes)
        if (node->isMoving()) {
            node->advance(now, turn);
            moving = moving || node->isMoving();
        }
    if (!moving)
        m_timer.stop();
}

void GraphScene::updateTimer()
{
    const bool moving =
        std::any_of(m_nodes.begin(), m_nodes.end(), [](const NodeItem* node) { return node->isMoving(); });
    if (moving && !m_timer.isActive())
        m_timer.start();
}

bool GraphScene::event(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationFontChange)
        for (NodeItem* node : m_nodes)
            node->updateTexts();
    else if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationPaletteChange)
        update();
    return QGraphicsScene::event(event);
}

} // namespace sg::ui
