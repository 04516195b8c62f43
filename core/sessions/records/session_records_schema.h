#pragma once

#include <cstdint>
#include <string>

namespace sg::sessions {

inline constexpr std::int64_t kSessionRecordsVersion = 5;
// What makes a file of an earlier version one of this; 0: one that is empty.
std::string sessionRecordsChangesFrom(std::int64_t version);
// "SELECT … FROM sessions " of a file of that version: what it does not have is as if it were not known.
std::string sessionRecordsColumns(std::int64_t version);

} // namespace sg::sessions
