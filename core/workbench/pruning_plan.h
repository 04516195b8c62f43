#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/workbench/pruning.h"
#include "core/workbench/thread_lock.h"

#include <string>
#include <utility>
#include <vector>

namespace sg::workbench {

// What goes; nothing is changed yet.
struct PrunePlan {
    std::vector<ThreadLock> locks; // no run begins meanwhile
    std::vector<checkpoint::CheckpointRef> removed;
    // Of subgraphs, with all that stands under them: they hang from tasks of checkpoints that go.
    std::vector<std::pair<ThreadId, std::string>> namespaces;
    PruneReport report; // as far as it can be told beforehand
};
Result<PrunePlan> planPruning(Workbench& workbench, const PruneChoice& choice);

} // namespace sg::workbench
