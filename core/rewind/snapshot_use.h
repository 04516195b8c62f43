#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/checkpoint/snapshot_log.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace sg::rewind {

// 64 lower-case hex digits; what a file says otherwise names no content, and leads nowhere else.
bool isContentName(std::string_view name);
// What the snapshots of a thread, or of all, need in the folder of contents: SHA-256 each. A snapshot that
// cannot be read is an error: what it may need is not known.
Result<std::set<std::string>> contentsNeeded(checkpoint::SnapshotLog& log,
                                             const std::optional<ThreadId>& thread);
// The same of a database file; nothing where it holds no snapshots.
Result<std::set<std::string>> contentsNeededIn(const std::filesystem::path& database,
                                               const std::optional<ThreadId>& thread);

// Says in the project's data folder that this database, which is not its own, has its contents there.
Result<void> noteDatabase(const std::filesystem::path& data, const std::filesystem::path& database);
// What all databases that have their contents there need: the project's own and those that were noted, but
// for `except`. One that cannot be read is an error: what it may need is not known.
Result<std::set<std::string>> contentsNeededThere(const std::filesystem::path& data,
                                                  const std::filesystem::path& except = {});

} // namespace sg::rewind
