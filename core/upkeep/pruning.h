#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/upkeep/upkeep.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Giving up checkpoints that nobody needs any more.
namespace sg::upkeep {

struct PruneChoice {
    std::optional<ThreadId> thread; // else every thread
    std::int64_t keep = 10; // newest checkpoints of each branch; its head always stays
    // How many a dry run said would go, with those of subgraphs: else nothing does.
    std::optional<std::int64_t> expected;
};

// A branch that loses what it hangs from: the checkpoints before `first`, up to where it left another branch.
struct CutBranch {
    ThreadId thread;
    CheckpointId first; // its oldest that stays
    std::int64_t firstStep = 0;
    CheckpointId head;
    std::int64_t headStep = 0;
};

struct PruneReport {
    std::int64_t checkpoints = 0; // of threads themselves, removed, or to be
    std::int64_t nested = 0; // of the subgraphs that ran from them
    std::int64_t lostParents = 0; // that stay without the checkpoint that they began from
    std::vector<CutBranch> forks; // those of them that were branches of one tree; at most 100
    std::int64_t snapshotContents = 0;
    std::int64_t bytesBefore = 0; // database and snapshots, on the disk
    std::int64_t bytesAfter = 0;
    std::vector<std::string> skipped; // threads, and why: "alice: a run is under way"
    bool isDryRun = false;
};
// A dry run does the whole work on a copy: what it says is what will be. Threads that store changes of
// channels alone are skipped, as their checkpoints need all before them. Errc::NotFound: no such thread;
// Conflict: other checkpoints would go than were expected; Unsupported: the project was opened only to be
// read.
Result<PruneReport> prune(const ProjectParts& parts, const PruneChoice& choice, bool dryRun);

} // namespace sg::upkeep
