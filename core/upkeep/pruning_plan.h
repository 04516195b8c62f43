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

// What goes; nothing is changed yet.
struct PrunePlan {
    std::vector<checkpoint::ThreadLock> locks; // no run begins meanwhile
    std::vector<checkpoint::CheckpointRef> removed;
    // Of subgraphs, with all that stands under them: they hang from tasks of checkpoints that go.
    std::vector<std::pair<ThreadId, std::string>> namespaces;
    PruneReport report; // as far as it can be told beforehand
};
Result<PrunePlan> planPruning(const ProjectParts& parts, const PruneChoice& choice);

// Adds to the plan what goes of a thread's subgraphs with the checkpoints of `tree` that do: namespaces of
// their tasks as a whole. Of a subgraph that keeps its state from call to call as many stay as of the thread
// itself, and those that ran from a checkpoint that stays.
Result<void> planSubgraphs(sqlite::Db& db, checkpoint::CheckpointStore& store, const ThreadId& thread,
                           const PruneTree& tree, std::int64_t keep, PrunePlan& plan);

} // namespace sg::upkeep
