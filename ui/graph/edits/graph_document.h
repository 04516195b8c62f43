#pragma once

#include "core/graph/graph.h"
#include "ui/graph/layout/edge_routes.h"
#include "ui/graph/layout/graph_drawing.h"

#include <QObject>
#include <QUndoStack>

#include <functional>

namespace sg::ui {

// The graph that the canvas shows: the only thing that changes; scene, mini-map and accessibility mirror it.
// Places come from the file; nodes without one are laid out, all of them where no node has one.
// Every change is a step that can be undone; GUI thread only.
class GraphDocument : public QObject {
    Q_OBJECT
public:
    explicit GraphDocument(QObject* parent = nullptr);

    void setGraph(const graph::Graph& graph); // as read from the file; forgets all steps
    // One step. False: `change` left the graph as it was. Steps with the same `mergeKey` in a row become one
    // (typing, nudging).
    using Change = std::function<void(graph::Graph&)>;
    bool edit(const QString& title, const Change& change, const QString& mergeKey = {});
    // The same for what adds, moves or connects: the places that are shown become part of the graph first, so
    // that nothing else moves.
    bool editPlaced(const QString& title, const Change& change, const QString& mergeKey = {});
    [[nodiscard]] QUndoStack& steps() { return m_steps; }
    [[nodiscard]] bool isModified() const { return !m_steps.isClean(); }
    void setSaved() { m_steps.setClean(); }
    void setEditable(bool editable); // shows both terminals, to draw edges from and to
    [[nodiscard]] bool isEditable() const { return m_editable; }

    // The one that is shown: the whole, or what is inside of the subgraph that was entered.
    [[nodiscard]] const graph::Graph& graph() const { return m_graph; }
    [[nodiscard]] graph::Graph whole() const; // as it is saved
    // The nodes that lead from the whole graph to the shown one. Going there is no step; a step that is
    // undone shows the graph that it changes.
    [[nodiscard]] const std::vector<NodeId>& path() const { return m_path; }
    void goTo(const std::vector<NodeId>& path); // as far as there are subgraphs
    [[nodiscard]] const GraphDrawing& drawing() const { return m_drawing; }
    [[nodiscard]] const std::vector<QPointF>& centres() const { return m_centres; } // of the drawing's nodes
    [[nodiscard]] const std::vector<std::vector<QPointF>>& bends() const { return m_bends; } // of its edges
    [[nodiscard]] bool isEmpty() const { return m_graph.nodes.empty(); }

Q_SIGNALS:
    void graphReset(); // another graph
    void pathChanged(); // after graphReset()
    void graphEdited(); // by one step, forward or back

private:
    class Step;
    void enter(const std::vector<NodeId>& path);
    void leave(); // one level
    void showAnew();
    void place();
    void layOutAnew();
    void redraw(bool otherParts);

    graph::Graph m_graph;
    std::vector<NodeId> m_path;
    std::vector<graph::Graph> m_around; // the graphs that hold the shown one, the whole first
    QUndoStack m_steps;
    bool m_editable = false;
    GraphDrawing m_drawing;
    std::vector<QPointF> m_centres;
    std::vector<std::vector<QPointF>> m_bends;
    GraphDrawing m_laidOut; // for which the places below were found: typing a program moves nothing
    std::vector<QPointF> m_foundCentres;
    std::vector<std::vector<QPointF>> m_foundBends;
};

// Wide enough for the label in its pill, with the fonts of the canvas.
double labelPillWidth(const std::string& label);
QString labelPillText(const std::string& label); // shortened where it would be wider than a card

} // namespace sg::ui
