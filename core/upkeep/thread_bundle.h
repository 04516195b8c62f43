#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/exchange/secret_scan.h"
#include "core/upkeep/upkeep.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// A thread as one file: its graph and code as they are now and the graphs that its runs were started on,
// checkpoints, logs, what its sessions measured, artifacts, snapshots, label and bookmarks; and such a file
// as a thread of another project.
namespace sg::upkeep {

struct BundleReport {
    ThreadId thread;
    std::int64_t checkpoints = 0;
    std::int64_t artifacts = 0;
    std::int64_t snapshots = 0; // contents
    std::int64_t bytes = 0; // unpacked
    // What looks like a secret: nothing was written where there are some and they were not allowed.
    std::vector<exchange::SecretFinding> secrets;
    bool isWritten = false;
};

struct BundleExport {
    ThreadId thread;
    std::filesystem::path target; // is replaced
    bool allowSecrets = false; // a person has looked at them
};
// Errc::NotFound: no such thread; Conflict: a run is under way on it.
Result<BundleReport> exportThread(const ProjectParts& parts, const BundleExport& wanted);

// Under its own name, or another. Nothing is changed before everything in it was checked; then checkpoints
// come last and all at once. The graph and its code are not taken over: they stand in the file.
// Errc::Exists: the project has a thread of that name; Corrupt: damaged, changed, or no bundle; Unsupported:
// the project was opened only to be read.
Result<BundleReport> importThread(const ProjectParts& parts, const std::filesystem::path& bundle,
                                  const std::string& asThread = {});

} // namespace sg::upkeep
