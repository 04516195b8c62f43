#pragma once

#include "core/graph/graph.h"
#include "ui/graph/layout/edge_routes.h"
#include "ui/graph/layout/graph_drawing.h"
#include "ui/graph/layout/made_room.h"

#include <QObject>
#include <QUndoStack>

#include <functional>
#include <set>

namespace sg::ui {

// The graph that the canvas shows. Only the document changes; scene, mini-map and accessibility mirror it.
// Places come from the file; if no node has one, all are laid out. Every change is a step that can be undone.
// GUI thread only.
class GraphDocument : public QObject {
    Q_OBJECT
public:
    explicit GraphDocument(QObject* parent = nullptr);

    void setGraph(const graph::Graph& graph); // as read from the file; clears all steps
    // Makes one step. Returns false if `change` left the graph as it was. Consecutive steps with the same
    // `mergeKey` become one (typing, nudging).
    using Change = std::function<void(graph::Graph&)>;
    bool edit(const QString& title, const Change& change, const QString& mergeKey = {});
    // Does the same for changes that add, move or connect: the shown places are written into the graph first,
    // so that nothing else moves.
    bool editPlaced(const QString& title, const Change& change, const QString& mergeKey = {});
    [[nodiscard]] QUndoStack& steps() { return m_steps; }
    [[nodiscard]] bool isModified() const { return !m_steps.isClean(); }
    void setSaved() { m_steps.setClean(); }
    void setEditable(bool editable); // an editable graph shows both terminals, to draw edges from and to
    [[nodiscard]] bool isEditable() const { return m_editable; }

    // The shown graph: the whole one, or the inside of the subgraph that was entered.
    [[nodiscard]] const graph::Graph& graph() const { return m_graph; }
    [[nodiscard]] graph::Graph whole() const; // what is saved
    // The nodes that lead from the whole graph to the shown one. goTo() is no step; undoing a step shows the
    // graph that it changes.
    [[nodiscard]] const std::vector<NodeId>& path() const { return m_path; }
    void goTo(const std::vector<NodeId>& path); // stops where the path has no subgraph
    [[nodiscard]] const GraphDrawing& drawing() const { return m_drawing; }
    [[nodiscard]] const std::vector<QPointF>& centres() const { return m_centres; } // of the drawing's nodes
    // Returns the same places as they are written into the graph: without the room that open subgraphs take.
    [[nodiscard]] const std::vector<QPointF>& places() const { return m_places; }
    [[nodiscard]] QPointF placeAt(const QPointF& shown) const { return m_room.placed(shown); }
    [[nodiscard]] const std::vector<std::vector<QPointF>>& bends() const { return m_bends; } // of its edges
    [[nodiscard]] bool isEmpty() const { return m_graph.nodes.empty(); }
    // Tells whether a subgraph of the shown graph shows its inside in its place. That is no step, and in no
    // file.
    [[nodiscard]] bool isOpen(const NodeId& node) const;
    void setOpen(const NodeId& node, bool isOpen);
    [[nodiscard]] std::shared_ptr<const graph::Graph> insideOf(const DrawnNode& node) const; // null: not open

Q_SIGNALS:
    void graphReset(); // another graph is shown
    void pathChanged(); // after graphReset()
    void graphEdited(); // one step was done, undone or redone, or a subgraph was opened or closed

private:
    class Step;
    void enter(const std::vector<NodeId>& path);
    void leave(); // goes up one level
    void showAnew();
    void place();
    void layOutAnew();
    void draw();
    void makeRoom();
    void redraw(bool otherParts);

    graph::Graph m_graph;
    std::vector<NodeId> m_path;
    std::vector<graph::Graph> m_around; // the graphs around the shown one, outermost first
    QUndoStack m_steps;
    bool m_editable = false;
    GraphDrawing m_drawing;
    std::vector<QPointF> m_places;
    std::vector<QPointF> m_centres;
    std::vector<std::vector<QPointF>> m_bends;
    std::set<std::vector<NodeId>> m_open; // by their paths
    MadeRoom m_room;
    GraphDrawing m_laidOut; // the drawing of the places below, which stay as long as the shape does
    std::vector<QPointF> m_foundCentres;
    std::vector<std::vector<QPointF>> m_foundBends;
};

// The room that a subgraph's inside takes within its node's frame; a large one is drawn smaller.
QSizeF openSize(const graph::Graph& inner);

// Width of the label's pill with the fonts of the canvas.
double labelPillWidth(const std::string& label);
QString labelPillText(const std::string& label); // shortened if it would be wider than a card

} // namespace sg::ui
