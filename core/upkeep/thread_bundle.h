#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/exchange/secret_scan.h"
#include "core/upkeep/upkeep.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// A bundle is a thread as one file: graph and code as they are now, the graphs that its runs were started on,
// checkpoints, logs, samples of its sessions, artifacts, snapshots, label and bookmarks. Another project can
// import it as a thread.
namespace sg::upkeep {

struct BundleReport {
    ThreadId thread;
    std::int64_t checkpoints = 0;
    std::int64_t artifacts = 0;
    std::int64_t snapshots = 0; // their contents
    std::int64_t bytes = 0; // unpacked
    // Texts that look like secrets. If there are some and they were not allowed, nothing was written.
    std::vector<exchange::SecretFinding> secrets;
    bool isWritten = false;
};

struct BundleExport {
    ThreadId thread;
    std::filesystem::path target; // an existing file is replaced
    bool allowSecrets = false; // a person has looked at the findings
};
// Errc::NotFound: there is no such thread; Conflict: a run is under way on it.
Result<BundleReport> exportThread(const ProjectParts& parts, const BundleExport& wanted);

// Imports under the bundle's thread name or `asThread`, into the project's file or its database on a server.
// Everything is checked before anything is changed; checkpoints come last, in one transaction. The graph and
// its code are not imported; they stay in the bundle. Errc::Exists: the project has a thread of that name;
// Corrupt: damaged, changed, or no bundle; Unsupported: the project is open read-only.
Result<BundleReport> importThread(const ProjectParts& parts, const std::filesystem::path& bundle,
                                  const std::string& asThread = {});

} // namespace sg::upkeep
