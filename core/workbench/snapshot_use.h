#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/checkpoint/snapshot_log.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace sg::workbench {

// What the snapshots of a thread, or of all, need in the folder of contents: SHA-256 each. A snapshot that
// cannot be read is an error: what it may need is not known.
Result<std::set<std::string>> contentsNeeded(checkpoint::SnapshotLog& log,
                                             const std::optional<ThreadId>& thread);
// The same of a database file; nothing where it holds no snapshots.
Result<std::set<std::string>> contentsNeededIn(const std::filesystem::path& database,
                                               const std::optional<ThreadId>& thread);

} // namespace sg::workbench
