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

// A content name is 64 lower-case hex digits. Nothing else in a file is ever used as a path.
bool isContentName(std::string_view name);
// Returns the SHA-256 of all contents that the snapshots of a thread, or of all, need. An unreadable snapshot
// is an error, because what it needs is unknown.
Result<std::set<std::string>> contentsNeeded(checkpoint::SnapshotLog& log,
                                             const std::optional<ThreadId>& thread);
// Does the same for a database file; a file without snapshots needs nothing.
Result<std::set<std::string>> contentsNeededIn(const std::filesystem::path& database,
                                               const std::optional<ThreadId>& thread);

// Notes in the project's data folder that this database, which is not its own, keeps its contents there.
Result<void> noteDatabase(const std::filesystem::path& data, const std::filesystem::path& database);
// Returns what all databases with contents there need: the project's own and the noted ones except `except`.
// An unreadable one is an error, because what it needs is unknown.
Result<std::set<std::string>> contentsNeededThere(const std::filesystem::path& data,
                                                  const std::filesystem::path& except = {});

} // namespace sg::rewind
