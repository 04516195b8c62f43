#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/scene/graph_scene.h"

#include <QWidget>

class QPushButton;

namespace sg::ui {

class Banner;
class GraphView;

// The graph that a run was started on and what the run did on it up to one checkpoint, to be looked at alone.
class RunGraph : public QWidget {
    Q_OBJECT
public:
    RunGraph(const QString& thread, const QString& checkpoint, QWidget* parent = nullptr);

    [[nodiscard]] const QString& thread() const { return m_thread; }
    [[nodiscard]] const QString& checkpoint() const { return m_checkpoint; }
    // Versions of other checkpoints are ignored. If no graph was recorded, today's is shown.
    void setVersion(const GraphVersion& version, const graph::Graph& now);
    void setHistory(const HistoryRows& rows); // of other threads it is passed over

Q_SIGNALS:
    void compareRequested(const sg::graph::Graph& then, const QString& label); // with the graph now
    void restoreRequested(const sg::graph::Graph& then);

private:
    void showStates();

    const QString m_thread;
    const QString m_checkpoint;
    GraphDocument m_document;
    GraphScene m_scene;
    GraphView* m_view;
    Banner* m_banner;
    QPushButton* m_compare;
    QPushButton* m_restore;
    HistoryRows m_history; // up to its last answer
};

} // namespace sg::ui
