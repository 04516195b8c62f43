#pragma once

#include "core/graph/graph_file.h"
#include "ui/bridge/rows/history_rows.h"
#include "ui/shell/parts/window_part.h"

class QMenu;

namespace sg::ui {

class CanvasPanel;

// Shows the graph as it was: in git, or when a run was started on it.
class GraphVersions : public WindowPart {
    Q_OBJECT
public:
    GraphVersions(const WindowParts& parts, CanvasPanel& canvas);

    void addTo(QMenu& menu);
    void showCompare(const graph::Graph& older, const QString& label); // with the graph now
    void restoreAsNew(const graph::Graph& graph); // asks where

Q_SIGNALS:
    void restored(const QString& file); // an older version as a graph of its own

private:
    void takeVersion(const GraphVersion& version);

    CanvasPanel* const m_graph;
    QString m_thread; // whose graph is to be compared
};

} // namespace sg::ui
