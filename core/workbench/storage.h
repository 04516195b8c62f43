#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// What a project takes on the disk, and giving up checkpoints that nobody needs any more.
namespace sg::workbench {

class Workbench;

struct StoragePart {
    std::string name;
    std::int64_t bytes = 0;
    std::int64_t count = 0;
};

struct StorageReport {
    std::int64_t databaseBytes = 0; // the file with its log
    std::int64_t artifactBytes = 0; // contents, each once
    std::int64_t snapshotBytes = 0;
    std::int64_t sessionBytes = 0; // folders of BIND sessions
    std::vector<StoragePart>
        threads; // checkpoints, writes and log: bytes of their values; count: checkpoints
    std::vector<StoragePart> channels; // what was written to each; count: writes
    std::vector<StoragePart> artifacts; // by thread
    std::vector<StoragePart> snapshots; // by thread: contents that it needs
};
// Largest first. Reads row sizes, not rows.
Result<StorageReport> storageOf(Workbench& workbench);

struct PruneChoice {
    std::optional<ThreadId> thread; // else every thread
    std::int64_t keep = 10; // newest checkpoints of each branch; its head always stays
};

struct PruneReport {
    std::int64_t checkpoints = 0; // removed, or to be
    std::int64_t lostParents = 0; // that stay without the checkpoint that they began from
    std::int64_t snapshotContents = 0;
    std::int64_t bytesBefore = 0; // database and snapshots, on the disk
    std::int64_t bytesAfter = 0;
    std::vector<std::string> skipped; // threads, and why: "alice: a run is under way"
    bool isDryRun = false;
};
// A dry run does the whole work on a copy: what it says is what will be. Threads that store changes of
// channels alone are skipped, as their checkpoints need all before them. Errc::NotFound: no such thread.
Result<PruneReport> prune(Workbench& workbench, const PruneChoice& choice, bool dryRun);

} // namespace sg::workbench
