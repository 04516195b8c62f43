#pragma once

#include "core/checkpoint/checkpoint_store.h"
#include "core/sqlite/db.h"
#include "core/workbench/pruning_plan.h"
#include "core/workbench/pruning_tree.h"

namespace sg::workbench {

// Adds to the plan what goes of a thread's subgraphs with the checkpoints of `tree` that do: namespaces of
// their tasks as a whole. Of a subgraph that keeps its state from call to call as many stay as of the thread
// itself, and those that ran from a checkpoint that stays.
Result<void> planSubgraphs(sqlite::Db& db, checkpoint::CheckpointStore& store, const ThreadId& thread,
                           const PruneTree& tree, std::int64_t keep, PrunePlan& plan);

} // namespace sg::workbench
