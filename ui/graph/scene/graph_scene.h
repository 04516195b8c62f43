#pragma once

#include "ui/graph/edits/graph_document.h"
#include "ui/graph/scene/node_state.h"

#include <QGraphicsScene>
#include <QTimer>

#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace sg::ui {

class EdgeItem;
class EdgeLabelItem;
class JoinItem;
class NodeItem;
class NoteItem;

using NodeStates = std::map<NodeId, NodeState>;

inline constexpr std::size_t kNoEdge = static_cast<std::size_t>(-1);
inline constexpr std::size_t kNoNote = static_cast<std::size_t>(-1);

// The edges that a run took, by the indices of the drawing's edges and joins.
struct EdgeStates {
    bool runShown = false;
    std::vector<bool> taken; // of edges
    std::vector<int> arrived; // of joins
    friend bool operator==(const EdgeStates&, const EdgeStates&) = default;
};

// Mirrors the document by node id and shows the states of a run. It knows neither views nor runs.
class GraphScene : public QGraphicsScene {
    Q_OBJECT
public:
    explicit GraphScene(const GraphDocument& document, QObject* parent = nullptr);
    ~GraphScene() override;

    [[nodiscard]] const GraphDocument& document() const { return m_document; }
    [[nodiscard]] const std::vector<NodeItem*>& nodes() const { return m_nodes; } // in the drawing's order
    [[nodiscard]] const std::vector<EdgeItem*>& edges() const { return m_edges; }
    [[nodiscard]] const std::vector<JoinItem*>& joins() const { return m_joins; }
    [[nodiscard]] const std::vector<NoteItem*>& notes() const { return m_notes; } // in the graph's order
    [[nodiscard]] const Routes& routes() const { return m_routes; }
    [[nodiscard]] NodeItem* findNode(const NodeId& id) const; // null if there is none
    [[nodiscard]] QRectF contentRect() const { return m_content; } // of all cards, edges and notes

    void setNodeState(const NodeId& id, const NodeState& state); // an unknown id is ignored
    void setNodeStates(const NodeStates& states); // nodes without a state become idle
    void setEdgeStates(const EdgeStates& states);
    void
    setStateFilter(const std::set<StateKind>& kept); // nodes in other states are faint; none: all are kept
    [[nodiscard]] bool isKept(const NodeItem& node) const; // by the filter
    void setCurrentNode(const NodeId& id); // empty for none
    [[nodiscard]] NodeId currentNode() const { return m_current; }
    // Selects several nodes; the last one is current. setCurrentNode() selects at most one.
    void setSelectedNodes(const std::vector<NodeId>& ids);
    [[nodiscard]] std::vector<NodeId> selectedNodes() const; // in the drawing's order
    void setCurrentEdge(std::size_t index); // or kNoEdge; no node is current then
    [[nodiscard]] std::size_t currentEdge() const { return m_currentEdge; }
    void setCurrentNote(std::size_t index); // or kNoNote; no node and no edge is current then
    [[nodiscard]] std::size_t currentNote() const { return m_currentNote; }

    void clearOffers(); // ends the drawing of an edge
    // Shows nodes elsewhere, with their edges, until the document changes.
    void showMoved(const std::vector<std::size_t>& nodes, const QPointF& by);
    void setAnimated(bool animated); // false ("reduce motion"): arcs do not turn

Q_SIGNALS:
    void aboutToRebuild(); // all items will be deleted, also those that others added
    void rebuilt(); // the items are new
    void edited(); // a step of the document may have changed places and texts
    void nodeStateChanged(std::size_t index);
    void currentNodeChanged(const QString& id);
    void selectedNodesChanged(); // also if the current node stays the same
    void currentEdgeChanged();
    void currentNoteChanged();

protected:
    bool event(QEvent* event) override;

private:
    void rebuild();
    struct EdgeKey {
        NodeId from;
        NodeId to;
        std::string label;
        std::size_t count; // number of edges in the drawing
        bool ofBranch;
        bool ofCommand;
        std::size_t part;
        std::size_t target;
    };
    void takeStructure();
    std::optional<EdgeKey> takeCurrentEdge();
    void restoreCurrentEdge(const EdgeKey& key);
    void takeEdit();
    [[nodiscard]] bool fitsItems() const;
    void route(); // all edges
    void measure();
    void updateItems();
    void showRoute(std::size_t edge, const EdgeRoute& route);
    void takeNodes();
    void takeEdges(const std::vector<NodeItem*>& oldNodes);
    void takeJoins();
    void takeNotes();
    void dropEdge(std::size_t index);
    void addEdge(std::size_t index);
    void applyState(std::size_t index, const NodeState& state);
    void tick();
    void updateTimer();

    const GraphDocument& m_document;
    Routes m_routes;
    GraphDrawing m_routedFor; // the drawing of m_routes, except for texts of nodes
    std::vector<QPointF> m_routedAt; // the nodes' centres for m_routes; empty if there were bends
    QRectF m_content;
    std::vector<NodeItem*> m_nodes;
    std::vector<EdgeItem*> m_edges;
    std::vector<EdgeLabelItem*> m_labels; // of edges; null where there is no label
    std::vector<JoinItem*> m_joins;
    std::vector<EdgeItem*> m_joinExits;
    std::unordered_map<NodeId, NodeItem*> m_byId;
    NodeStates m_states; // survives a rebuild
    EdgeStates m_edgeStates;
    std::set<StateKind> m_keptStates; // empty: all
    NodeId m_current;
    std::vector<NodeId> m_selected; // if several are selected: all, including the current one
    std::size_t m_currentEdge = kNoEdge;
    std::vector<NoteItem*> m_notes;
    std::size_t m_currentNote = kNoNote;
    QTimer m_timer;
    bool m_animated = true;
};

} // namespace sg::ui
