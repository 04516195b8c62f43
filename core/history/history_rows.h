#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/run_log.h"
#include "core/engine/engine.h"
#include "core/history/history.h"

#include <vector>

// These pure functions make rows of the tasks that ran from a checkpoint.
namespace sg::history {

std::vector<NodeId> nodesThatWrote(const std::vector<checkpoint::PendingWrite>& writes);
std::vector<NodeId> unfinishedNodes(const engine::StateSnapshot& snapshot);
TaskRow recordedRow(const checkpoint::TaskRecord& record);
// Makes the row of a task's attempts that of the next attempt, too: it keeps the start of the first.
void addAttempt(TaskRow& row, const checkpoint::TaskRecord& record);
// Makes the row of a task that another program ran, which left writes but no times.
TaskRow unrecordedRow(const checkpoint::CheckpointRecord& record, const engine::StateTask& task);

} // namespace sg::history
