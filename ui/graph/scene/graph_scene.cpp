#include "ui/graph/scene/graph_scene.h"

#include "ui/graph/scene/edge_item.h"
#include "ui/graph/scene/node_item.h"
#include "ui/graph/scene/note_item.h"
#include "ui/widgets/desktop_wishes.h"

#include <QDateTime>
#include <QEvent>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr int kTickMs = 50;
constexpr double kTurnMs = 1200; // one turn of the running arc

} // namespace

GraphScene::GraphScene(const GraphDocument& document, QObject* parent)
    : QGraphicsScene(parent)
    , m_document(document)
{
    // A step can change many long edges; sorting them into an index costs more than looking at all items.
    setItemIndexMethod(NoIndex);
    m_timer.setInterval(kTickMs);
    connect(&m_timer, &QTimer::timeout, this, &GraphScene::tick);
    connect(&m_document, &GraphDocument::graphReset, this, [this] {
        setCurrentNote(kNoNote); // it belongs to the former graph
        setCurrentEdge(kNoEdge);
        rebuild();
    });
    connect(&m_document, &GraphDocument::graphEdited, this, &GraphScene::takeEdit);
    rebuild();
}

GraphScene::~GraphScene() = default;

NodeItem* GraphScene::findNode(const NodeId& id) const
{
    const auto found = m_byId.find(id);
    return found == m_byId.end() ? nullptr : found->second;
}

void GraphScene::measure()
{
    m_content = m_routes.bounds();
    for (const NodeItem* node : m_nodes)
        m_content |= node->card();
    for (const NoteItem* note : m_notes)
        m_content |= note->rect();
    setSceneRect(m_content);
}

void GraphScene::rebuild()
{
    takeStructure();
    Q_EMIT rebuilt();
}

void GraphScene::applyState(std::size_t index, const NodeState& state)
{
    if (m_nodes[index]->state() == state)
        return;
    m_nodes[index]->setState(state);
    m_nodes[index]->setFaint(!isKept(*m_nodes[index]));
    Q_EMIT nodeStateChanged(index);
}

void GraphScene::setStateFilter(const std::set<StateKind>& kept)
{
    m_keptStates = kept;
    for (NodeItem* node : m_nodes)
        node->setFaint(!isKept(*node));
    update();
}

bool GraphScene::isKept(const NodeItem& node) const
{
    return m_keptStates.empty() || m_keptStates.contains(node.state().kind);
}

void GraphScene::setNodeState(const NodeId& id, const NodeState& state)
{
    const NodeItem* node = findNode(id);
    if (!node)
        return;
    m_states[id] = state;
    applyState(node->index(), state);
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
}

void GraphScene::setAnimated(bool animated)
{
    m_animated = animated;
    updateTimer();
}

void GraphScene::tick()
{
    const double now = static_cast<double>(QDateTime::currentMSecsSinceEpoch());
    const double turn = m_animated && !desktopWishes().lessMotion ? std::fmod(now, kTurnMs) / kTurnMs : 0;
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
        for (QGraphicsItem* item : items()) // each item caches its picture
            item->update();
    return QGraphicsScene::event(event);
}

} // namespace sg::ui
