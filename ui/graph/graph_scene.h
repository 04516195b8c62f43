#pragma once

#include "ui/graph/graph_document.h"
#include "ui/graph/node_state.h"

#include <QGraphicsScene>
#include <QTimer>

#include <map>
#include <unordered_map>

namespace sg::ui {

class EdgeItem;
class EdgeLabelItem;
class JoinItem;
class NodeItem;

using NodeStates = std::map<NodeId, NodeState>;

// Which ways a run took, by the indices of the drawing's edges and joins.
struct EdgeStates {
    bool runShown = false;
    std::vector<bool> taken; // of edges
    std::vector<int> arrived; // of joins
    friend bool operator==(const EdgeStates&, const EdgeStates&) = default;
};

// Mirrors the document by node id and adds what a run says. Knows neither views nor runs.
class GraphScene : public QGraphicsScene {
    Q_OBJECT
public:
    explicit GraphScene(const GraphDocument& document, QObject* parent = nullptr);
    ~GraphScene() override;

    [[nodiscard]] const GraphDocument& document() const { return m_document; }
    [[nodiscard]] const std::vector<NodeItem*>& nodes() const { return m_nodes; } // as in the drawing
    [[nodiscard]] const std::vector<EdgeItem*>& edges() const { return m_edges; }
    [[nodiscard]] const std::vector<JoinItem*>& joins() const { return m_joins; }
    [[nodiscard]] const Routes& routes() const { return m_routes; }
    [[nodiscard]] NodeItem* findNode(const NodeId& id) const; // null: none
    [[nodiscard]] QRectF contentRect() const; // all cards and edges

    void setNodeState(const NodeId& id, const NodeState& state); // an unknown id is ignored
    void setNodeStates(const NodeStates& states); // nodes not named become idle
    void setEdgeStates(const EdgeStates& states);
    void setCurrentNode(const NodeId& id); // empty: none
    [[nodiscard]] NodeId currentNode() const { return m_current; }
    void setAnimated(bool animated); // off: arcs stand still ("reduce motion")

Q_SIGNALS:
    void rebuilt();
    void nodeStateChanged(std::size_t index);
    void edgeStatesChanged();
    void currentNodeChanged(const QString& id);

protected:
    bool event(QEvent* event) override;

private:
    void rebuild();
    void addNodes();
    void addEdges();
    void applyState(std::size_t index, const NodeState& state);
    void tick();
    void updateTimer();

    const GraphDocument& m_document;
    Routes m_routes;
    std::vector<NodeItem*> m_nodes;
    std::vector<EdgeItem*> m_edges;
    std::vector<EdgeLabelItem*> m_labels; // of edges; null: none
    std::vector<JoinItem*> m_joins;
    std::vector<EdgeItem*> m_joinExits;
    std::unordered_map<NodeId, std::size_t> m_index;
    NodeStates m_states; // survives a rebuild
    EdgeStates m_edgeStates;
    NodeId m_current;
    QTimer m_timer;
    bool m_animated = true;
};

} // namespace sg::ui
