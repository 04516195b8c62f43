#pragma once

#include "ui/bridge/rows.h"
#include "ui/graph/graph_scene.h"

#include <QList>
#include <QWidget>

class QAction;
class QStackedLayout;

namespace sg::ui {

class GraphDocument;
class GraphView;

// The canvas with what a thread did on its graph up to a checkpoint.
class CanvasPanel : public QWidget {
    Q_OBJECT
public:
    explicit CanvasPanel(QWidget* parent = nullptr);

    void setGraph(const graph::Graph& graph);
    void showHistory(const HistoryRows& history, const QString& checkpoint); // empty: the head, live
    void setViewingPast(bool viewing);
    void revealNode(const QString& node);
    [[nodiscard]] const QList<QAction*>& viewActions() const { return m_actions; }

private:
    void createActions();

    GraphDocument* m_document;
    GraphScene* m_scene;
    GraphView* m_view;
    QStackedLayout* m_stack;
    QList<QAction*> m_actions;
};

// How each node stands at a checkpoint, from what the thread's tasks did since the run's input; a node that
// ran more than once shows its last run. Pure.
NodeStates nodeStatesAt(const HistoryRows& history, const QString& checkpoint);

// Which of the drawing's edges that run followed. Pure.
EdgeStates edgeStatesAt(const GraphDrawing& drawing, const HistoryRows& history, const QString& checkpoint);

} // namespace sg::ui
