#pragma once

#include "core/checkpoint/checkpoint_store.h"
#include "core/upkeep/pruning.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// What of a thread's tree of checkpoints stays. Pure but for needsAll().
namespace sg::upkeep {

struct PruneNode {
    std::string parent;
    std::int64_t step = 0;
    bool isParent = false;
    bool isKept = false;
};
using PruneTree = std::map<std::string, PruneNode>; // by the checkpoint's id

// Of each branch its newest so many.
void keepNewest(PruneTree& tree, std::int64_t keep);
// The branches whose oldest checkpoint that stays loses its parent, each with its newest head.
std::vector<CutBranch> cutBranches(const PruneTree& tree, const ThreadId& thread);
// Those of them that hung together with others.
std::vector<CutBranch> forksOf(const PruneTree& tree, const std::vector<CutBranch>& cuts);

// Whether the head holds changes of its channels alone: it is nothing without those before it.
Result<bool> needsAll(checkpoint::CheckpointStore& store, const ThreadId& thread, const std::string& ns);

} // namespace sg::upkeep
