#pragma once

#include "core/graph/graph_file.h"
#include "ui/bridge/rows.h"
#include "ui/graph/graph_document.h"
#include "ui/graph/graph_scene.h"

#include <QWidget>

class QStackedLayout;

namespace sg::ui {

class Banner;
class EmptyState;
class GraphView;
class Selection;

// The canvas with its banner, bound to the shared selection. Give it the graph, the thread's history and what
// the run adds; it shows the moment that is selected.
class GraphPanel : public QWidget {
    Q_OBJECT
public:
    explicit GraphPanel(Selection& selection, QWidget* parent = nullptr);

    void setGraph(const graph::Graph& graph, const std::vector<graph::Problem>& problems);
    void clear(); // no graph is open

    void setHistory(const HistoryRows& history); // of the selected thread
    void addCheckpoints(const QString& thread, const std::vector<CheckpointRow>& added);
    void changeTasks(const QString& thread, const std::vector<TaskRow>& changed); // by task id

    [[nodiscard]] GraphView& view() const { return *m_view; }
    [[nodiscard]] GraphScene& scene() { return m_scene; }

Q_SIGNALS:
    void nodeActivated(const QString& node);

private:
    void refresh();
    void showBanner();
    void addMarks(NodeStates& states) const;

    Selection& m_selection;
    GraphDocument m_document;
    GraphScene m_scene;
    std::vector<graph::Problem> m_problems;
    HistoryRows m_history;
    Banner* m_banner;
    QStackedLayout* m_stack;
    GraphView* m_view;
    EmptyState* m_empty;
};

} // namespace sg::ui
