#pragma once

#include "ui/graph/edits/graph_document.h"
#include "ui/graph/scene/graph_scene.h"

#include <functional>
#include <map>
#include <memory>

class QPainter;

namespace sg::ui {

// A subgraph as it is drawn within its node: only looked at, with the states of its tasks where it ran.
class InnerGraph {
public:
    // `changed` is called when it looks different.
    InnerGraph(std::shared_ptr<const graph::Graph> graph, const std::function<void()>& changed);

    [[nodiscard]] const std::shared_ptr<const graph::Graph>& graph() const { return m_graph; }
    [[nodiscard]] const GraphDrawing& drawing() const { return m_document.drawing(); }
    void setStates(const NodeStates& nodes, const EdgeStates& edges);
    [[nodiscard]] std::map<StateKind, int> counts() const; // of its nodes that did something
    [[nodiscard]] QStringList spoken() const; // "draft, done", of each node
    void paint(QPainter& painter, const QRectF& place);

private:
    std::shared_ptr<const graph::Graph> m_graph;
    GraphDocument m_document;
    GraphScene m_scene;
};

// The frame of an open subgraph: its head, and the inside below.
void paintOpenNode(QPainter& painter, const QRectF& rect, const QString& title, const NodeState& state,
                   const QString& secondLine, bool isSelected);

} // namespace sg::ui
