#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/checkpoint/thread_lock.h"
#include "core/sqlite/db.h"
#include "core/upkeep/pruning.h"
#include "core/upkeep/pruning_tree.h"
#include "core/upkeep/upkeep.h"

#include <string>
#include <utility>
#include <vector>

namespace sg::upkeep {

// The checkpoints to be removed. Planning changes nothing.
struct PrunePlan {
    std::vector<checkpoint::ThreadLock> locks; // keep runs from starting meanwhile
    std::vector<checkpoint::CheckpointRef> removed;
    // Namespaces of subgraphs that are removed, with all below them, because their tasks' checkpoints are.
    std::vector<std::pair<ThreadId, std::string>> namespaces;
    PruneReport report; // as far as it is known before the removal
};
Result<PrunePlan> planPruning(const ProjectParts& parts, const PruneChoice& choice);

// Adds to the plan which of a thread's subgraphs go with the checkpoints of `tree` that go: the namespaces of
// their tasks as a whole. A subgraph that keeps its state between calls keeps as many checkpoints as the
// thread itself, and those that ran from a remaining checkpoint.
Result<void> planSubgraphs(sqlite::Db& db, checkpoint::CheckpointStore& store, const ThreadId& thread,
                           const PruneTree& tree, std::int64_t keep, PrunePlan& plan);

} // namespace sg::upkeep
