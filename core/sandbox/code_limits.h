#pragma once

#include "core/sandbox/sandbox.h"

#include <algorithm>
#include <cstdint>
#include <string>

// The kernel refuses to pass descriptors for a process that may have fewer open files than its user has
// descriptors in flight. So code has a lower limit than its runner and, where it shares its user with other
// programs, a limit below theirs (usually 1024).
namespace sg::sandbox {

inline constexpr std::int64_t kFilesOfSharedUser = 640; // with the 253 of one message still below 1024
inline constexpr std::int64_t kRunnersFiles = 4096; // beyond the code's
inline constexpr std::int64_t kSignalsInLine = 1024; // also counted per user

inline std::int64_t codeFiles(const Limits& limits, bool sharesUser)
{
    return sharesUser ? std::min(limits.openFiles, kFilesOfSharedUser) : limits.openFiles;
}
inline std::int64_t runnersFiles(const Limits& limits)
{
    return limits.openFiles + kRunnersFiles;
}
// The "code=" part of the runner's --limits.
inline std::string codeFilesOption(const Limits& limits, bool sharesUser)
{
    return "code=" + std::to_string(codeFiles(limits, sharesUser));
}

} // namespace sg::sandbox
