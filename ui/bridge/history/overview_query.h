#pragma once

#include "core/history/watch.h"
#include "core/workbench/workbench.h"
#include "ui/bridge/rows/answer.h"
#include "ui/bridge/rows/history_rows.h"

// Blocking questions about all threads, and about many states of one; they run on worker threads.
namespace sg::ui {

Answer<std::vector<OverviewRow>> readOverview(workbench::Workbench& workbench); // the newest thread first

// The highest memory use of the thread's sessions while the supersteps of `way` (checkpoints, newest first)
// ran; kUnknown if no samples of that time are stored.
double peakMemory(workbench::Workbench& workbench, const QString& thread,
                  const std::vector<const CheckpointRow*>& way);

WatchRows watchRows(const std::vector<history::WatchPoint>& points);

} // namespace sg::ui
