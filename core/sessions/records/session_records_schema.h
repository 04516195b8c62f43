#pragma once

#include <cstdint>
#include <string>

namespace sg::sessions {

inline constexpr std::int64_t kSessionRecordsVersion = 6;
// The SQL that upgrades a file of an earlier version; 0: an empty file.
std::string sessionRecordsChangesFrom(std::int64_t version);
// "SELECT … FROM sessions " for a file of that version: columns that it lacks read as unknown.
std::string sessionRecordsColumns(std::int64_t version);

} // namespace sg::sessions
