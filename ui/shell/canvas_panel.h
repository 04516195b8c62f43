#pragma once

#include "core/graph/graph_file.h"
#include "ui/bridge/rows.h"
#include "ui/graph/graph_document.h"
#include "ui/graph/graph_scene.h"

#include <QWidget>

#include <vector>

class QStackedLayout;

namespace sg::ui {

class Banner;
class EmptyState;
class GraphView;
class Selection;

// The canvas bound to the shared selection: the graph, what the thread did on it up to the selected
// checkpoint, and the banner that says so while the past is viewed.
class CanvasPanel : public QWidget {
    Q_OBJECT
public:
    explicit CanvasPanel(Selection& selection, QWidget* parent = nullptr);

    void setGraph(const graph::Graph& graph, const std::vector<graph::Problem>& problems);
    void setHistory(const HistoryRows& history); // of the selected thread
    void addCheckpoints(const QString& thread, const std::vector<CheckpointRow>& added);
    void changeTasks(const QString& thread, const std::vector<TaskRow>& changed);
    [[nodiscard]] GraphView& view() const { return *m_view; }

private:
    void refresh();
    void showBanner();

    Selection& m_selection;
    GraphDocument m_document;
    GraphScene m_scene;
    std::vector<graph::Problem> m_problems;
    HistoryRows m_history;
    Banner* m_banner;
    GraphView* m_view;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
};

} // namespace sg::ui
