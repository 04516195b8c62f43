#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sg::sandbox {

// Identifies a process among all that ever had its pid, also on other machines.
struct OwnerProcess {
    pid_t pid = 0;
    std::uint64_t startTicks = 0; // since boot
    std::uint64_t pidNamespace = 0; // in which the pid is valid
    std::string boot; // the first 8 hex digits of the boot's id
    std::string machine; // 4 hex digits of the machine; empty: unknown
};

OwnerProcess ownProcess();
// "1234.567890.4026531836.1a2b3c4d5e6f": fit for a label and a file name.
std::string ownerMark(const OwnerProcess& owner);
std::optional<OwnerProcess> parseOwnerMark(std::string_view mark);
// True where it is on another machine that uses the same engine or folder.
bool isElsewhere(const OwnerProcess& owner);
// False where it lives, and where that is unknown here (another pid namespace, another machine).
bool isGone(const OwnerProcess& owner);
// Field 22 of /proc/PID/stat; 0 if there is no such process, or if it has ended and only its parent still
// knows of it.
std::uint64_t processStartTicks(pid_t pid);

} // namespace sg::sandbox
