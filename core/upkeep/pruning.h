#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/upkeep/upkeep.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Pruning removes checkpoints that nobody needs any more.
namespace sg::upkeep {

struct PruneChoice {
    std::optional<ThreadId> thread; // else every thread
    std::int64_t keep = 10; // newest checkpoints of each branch; its head always stays
    // The number of checkpoints, with subgraphs', that a dry run announced; with another nothing is removed.
    std::optional<std::int64_t> expected;
};

// A branch that loses its beginning: the checkpoints before `first`, back to where it left another branch.
struct CutBranch {
    ThreadId thread;
    CheckpointId first; // its oldest remaining checkpoint
    std::int64_t firstStep = 0;
    CheckpointId head;
    std::int64_t headStep = 0;
};

struct PruneReport {
    std::int64_t checkpoints = 0; // of the root graph, removed or to be removed
    std::int64_t nested = 0; // of the subgraphs that ran from them
    std::int64_t lostParents = 0; // remaining checkpoints that lose their parent
    std::vector<CutBranch> forks; // those of them that were branches of one tree; at most 100
    std::int64_t snapshotContents = 0;
    std::int64_t bytesBefore = 0; // database (on a server: its values) and snapshots on the disk
    std::int64_t bytesAfter = 0;
    std::vector<std::string> skipped; // threads with the reason: "alice: a run is under way"
    bool isDryRun = false;
};
// A dry run does all the work on a copy, so its report is exact. Threads that store channels as changes are
// skipped, because their checkpoints need all earlier ones. Errc::NotFound: there is no such thread;
// Conflict: the number of checkpoints differs from `expected`; Unsupported: the project is open read-only.
Result<PruneReport> prune(const ProjectParts& parts, const PruneChoice& choice, bool dryRun);

} // namespace sg::upkeep
