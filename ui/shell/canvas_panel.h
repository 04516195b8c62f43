#pragma once

#include "core/graph/graph_file.h"
#include "ui/bridge/rows/history_rows.h"
#include "ui/bridge/rows/project_info.h"
#include "ui/bridge/rows/rows.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/shell/canvas/inner_runs.h"

#include <QTimer>
#include <QWidget>

#include <vector>

class QStackedLayout;

namespace sg::ui {

class Breadcrumb;
class CanvasSearch;
class CodeEditor;
class EmptyState;
class GraphThen;
class GraphView;
class Inspector;
class NodeInspection;
class Selection;
class ShownHistory;
class ViewingBanner;
struct HistoryChange;

// The canvas bound to the shared selection: the graph, what the thread did on it up to the selected
// checkpoint, and the banner that says so while the past is viewed.
class CanvasPanel : public QWidget {
    Q_OBJECT
public:
    CanvasPanel(Selection& selection, const ShownHistory& history, QWidget* parent = nullptr);

    void setGraph(const ProjectInfo& info);
    [[nodiscard]] const std::vector<graph::Problem>& problems() const { return m_allProblems; }
    void setProblems(const std::vector<graph::Problem>& problems); // of the graph as it is edited
    void select(const graph::Problem& problem); // the node that it is about, also inside of subgraphs
    // A problem of the whole graph with the pointer that it has in the shown one; empty: it stands elsewhere.
    [[nodiscard]] graph::Problem shownForm(const graph::Problem& problem) const;
    [[nodiscard]] GraphDocument& document() { return m_document; }
    void setInnerHistory(const HistoryRows& history, const QStringList& path); // of a subgraph that is seen
    void setGraphThen(const GraphVersion& version); // that the run which is looked at was started on
    // Sets what the thread's checkpoints tell of a graph that is not there; shown while there is none.
    void setSkeleton(const QString& thread, const graph::Graph& graph);
    // Nodes that would run, and those that would not run again; none: nothing is previewed.
    struct Preview {
        QStringList runs;
        QStringList asks; // people
        QStringList reused;
    };
    void setPreview(const Preview& preview);
    void setState(const StateView& state); // it may be what went into the task that is shown
    void readInnerAgain(); // what runs inside of a subgraph has gone on
    [[nodiscard]] GraphView& view() const { return *m_view; }
    [[nodiscard]] QWidget* strip() const; // lies along its upper edge while the past is viewed
    void setCovered(int pixels); // of the upper edge, by messages of the window
    [[nodiscard]] Inspector* inspector() const; // of the selected node
    [[nodiscard]] CodeEditor& code() const; // in the inspector

Q_SIGNALS:
    void inspectionRequested(); // Enter or double click on a node
    void codeRequested(const QString& file); // the same, on a node that runs a file
    void renameRequested(); // of the selected node, in the inspector
    void innerHistoriesWanted(const QString& thread, const QString& checkpoint,
                              const QList<QStringList>& paths);
    void graphThenWanted(const QString& thread, const QString& checkpoint);
    void skeletonWanted(const QString& thread);
    void compareRequested(const sg::graph::Graph& then, const QString& label); // with the graph now

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // of the banner and what it lies over

private:
    void layOut();
    void placeBanner();
    void showCovered();
    void connectCanvas();
    void connectSelection();
    void connectBanner();
    void startTimers();
    void selectPart(const graph::Problem& problem); // of the shown graph
    bool selectEdge(bool ofBranch, std::size_t part); // false: it is not drawn
    void refresh();
    void refreshSoon(); // a run that goes on tells more often than anybody can look
    void addPreview(NodeStates& states) const;
    void showPath();
    void showNode(const QString& node);
    void takeHistory(const HistoryChange& change);
    void takeCheckpoint();
    void showThen();
    void askSkeleton();
    void adoptSkeleton(); // to be completed by hand
    [[nodiscard]] const HistoryRows& shownHistory() const;
    [[nodiscard]] const CheckpointRow* viewed() const; // null: the head
    void activate(const QString& node);
    void showEmpty();
    void inspect();

    Selection& m_selection;
    const ShownHistory& m_history;
    GraphDocument m_document;
    GraphScene m_scene;
    std::vector<graph::Problem> m_allProblems;
    std::vector<graph::Problem> m_problems; // of the shown graph
    QString m_name;
    InnerRuns m_inner;
    QTimer m_innerSoon;
    QTimer m_refreshSoon;
    GraphThen* const m_then;
    ViewingBanner* const m_banner;
    Breadcrumb* const m_breadcrumb;
    GraphView* const m_view;
    CanvasSearch* const m_search;
    EmptyState* const m_empty;
    QStackedLayout* const m_stack;
    NodeInspection* const m_inspection;
    Preview m_preview;
    int m_covered = 0; // pixels of the canvas, by messages of the window
};

} // namespace sg::ui
