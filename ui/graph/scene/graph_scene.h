#pragma once

#include "ui/graph/edits/graph_document.h"
#include "ui/graph/scene/node_state.h"

#include <QGraphicsScene>
#include <QTimer>

#include <map>
#include <optional>
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
    [[nodiscard]] const std::vector<NoteItem*>& notes() const { return m_notes; } // as in the graph
    [[nodiscard]] const Routes& routes() const { return m_routes; }
    [[nodiscard]] NodeItem* findNode(const NodeId& id) const; // null: none
    [[nodiscard]] QRectF contentRect() const { return m_content; } // all cards and edges

    void setNodeState(const NodeId& id, const NodeState& state); // an unknown id is ignored
    void setNodeStates(const NodeStates& states); // nodes not named become idle
    void setEdgeStates(const EdgeStates& states);
    void setCurrentNode(const NodeId& id); // empty: none
    [[nodiscard]] NodeId currentNode() const { return m_current; }
    // Several nodes at once; the last is the current one. setCurrentNode() leaves one or none.
    void setSelectedNodes(const std::vector<NodeId>& ids);
    [[nodiscard]] std::vector<NodeId> selectedNodes() const; // in the drawing's order
    void setCurrentEdge(std::size_t index); // kNoEdge: none; no node is current then
    [[nodiscard]] std::size_t currentEdge() const { return m_currentEdge; }
    void setCurrentNote(std::size_t index); // kNoNote: none; no node and no edge is current then
    [[nodiscard]] std::size_t currentNote() const { return m_currentNote; }

    void clearOffers(); // no edge is drawn any more
    // Shows nodes elsewhere, with the edges that touch them, until the document changes.
    void showMoved(const std::vector<std::size_t>& nodes, const QPointF& by);
    void setAnimated(bool animated); // off: arcs stand still ("reduce motion")

Q_SIGNALS:
    void aboutToRebuild(); // all items go, also those of others
    void rebuilt(); // items are other ones
    void edited(); // after a step of the document; what is shown may have another place or text
    void nodeStateChanged(std::size_t index);
    void edgeStatesChanged();
    void currentNodeChanged(const QString& id);
    void selectedNodesChanged(); // also where the current one stays
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
        std::size_t count; // of the drawing's edges
        bool ofBranch;
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
    GraphDrawing m_routedFor; // the drawing that they are of, apart from texts of nodes
    std::vector<QPointF> m_routedAt; // the nodes' centres in it; empty: with bends
    QRectF m_content;
    std::vector<NodeItem*> m_nodes;
    std::vector<EdgeItem*> m_edges;
    std::vector<EdgeLabelItem*> m_labels; // of edges; null: none
    std::vector<JoinItem*> m_joins;
    std::vector<EdgeItem*> m_joinExits;
    std::unordered_map<NodeId, NodeItem*> m_byId;
    NodeStates m_states; // survives a rebuild
    EdgeStates m_edgeStates;
    NodeId m_current;
    std::vector<NodeId> m_selected; // with the current one, where there are several
    std::size_t m_currentEdge = kNoEdge;
    std::vector<NoteItem*> m_notes;
    std::size_t m_currentNote = kNoNote;
    QTimer m_timer;
    bool m_animated = true;
};

} // namespace sg::ui
