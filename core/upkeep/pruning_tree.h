#pragma once

#include "core/checkpoint/checkpoint_store.h"
#include "core/upkeep/pruning.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// These functions decide which checkpoints of a thread's tree remain. All but needsAll() are pure.
namespace sg::upkeep {

struct PruneNode {
    std::string parent;
    std::int64_t step = 0;
    bool isParent = false;
    bool isKept = false;
};
using PruneTree = std::map<std::string, PruneNode>; // by the checkpoint's id

// Marks the newest `keep` checkpoints of each branch.
void keepNewest(PruneTree& tree, std::int64_t keep);
// Returns the branches whose oldest remaining checkpoint loses its parent, each with its newest head.
std::vector<CutBranch> cutBranches(const PruneTree& tree, const ThreadId& thread);
// Returns those of them that were connected with others.
std::vector<CutBranch> forksOf(const PruneTree& tree, const std::vector<CutBranch>& cuts);

// Tells whether the head holds its channels as changes, so that it needs the checkpoints before it.
Result<bool> needsAll(checkpoint::CheckpointStore& store, const ThreadId& thread, const std::string& ns);

} // namespace sg::upkeep
