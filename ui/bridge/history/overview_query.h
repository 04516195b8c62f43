#pragma once

#include "core/history/watch.h"
#include "core/workbench/workbench.h"
#include "ui/bridge/rows/answer.h"
#include "ui/bridge/rows/history_rows.h"

// What the bridge asks of all threads together, and of many states of one; blocking, on its worker threads.
namespace sg::ui {

Answer<std::vector<OverviewRow>> readOverview(workbench::Workbench& workbench); // the newest thread first

// The most memory that a session of the thread used while the supersteps of that way ran, which is told by
// its checkpoints, newest first; kUnknown: no sample is kept of that time.
double peakMemory(workbench::Workbench& workbench, const QString& thread,
                  const std::vector<const CheckpointRow*>& way);

WatchRows watchRows(const std::vector<history::WatchPoint>& points);

} // namespace sg::ui
