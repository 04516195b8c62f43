#pragma once

#include "core/graph/graph.h"
#include "ui/graph/edge_routes.h"
#include "ui/graph/graph_drawing.h"

#include <QObject>

namespace sg::ui {

// The graph that the canvas shows: the only thing that changes; scene, mini-map and accessibility mirror it.
// Places come from the file; nodes without one are laid out, all of them where no node has one.
class GraphDocument : public QObject {
    Q_OBJECT
public:
    explicit GraphDocument(QObject* parent = nullptr);

    void setGraph(const graph::Graph& graph);
    [[nodiscard]] const graph::Graph& graph() const { return m_graph; }
    [[nodiscard]] const GraphDrawing& drawing() const { return m_drawing; }
    [[nodiscard]] const std::vector<QPointF>& centres() const { return m_centres; } // of the drawing's nodes
    [[nodiscard]] const std::vector<std::vector<QPointF>>& bends() const { return m_bends; } // of its edges
    [[nodiscard]] bool isEmpty() const { return m_graph.nodes.empty(); }

Q_SIGNALS:
    void graphReset(); // everything may have changed

private:
    void place();

    graph::Graph m_graph;
    GraphDrawing m_drawing;
    std::vector<QPointF> m_centres;
    std::vector<std::vector<QPointF>> m_bends;
};

// Wide enough for the label in its pill, with the fonts of the canvas.
double labelPillWidth(const std::string& label);
QString labelPillText(const std::string& label); // shortened where it would be wider than a card

} // namespace sg::ui
