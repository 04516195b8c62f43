#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/graph/layout/graph_drawing.h"
#include "ui/graph/scene/graph_scene.h"

namespace sg::ui {

// The states that the canvas shows for one moment of a thread.
struct RunView {
    NodeStates nodes;
    EdgeStates edges;
};

// The states of all nodes and edges as of `checkpoint` (empty: the head). At the end of any branch with the
// tasks that run, failed or wait there. Only the checkpoints on the way to it count: what another branch did
// is not shown. A node that did not run is queued where the run can still reach it, "not reached" where it
// ended before, else skipped.
// With a time, while the tasks that began at the checkpoint ran: as each of them stood then.
RunView runViewAt(const GraphDrawing& drawing, const HistoryRows& history, const QString& checkpoint,
                  double momentMs = kUnknown);

// "2nd run", "3rd run"; empty for the first run.
QString runOrdinal(int count);

} // namespace sg::ui
