#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sg::sandbox {

// A process, told from every other one that ever had its number, as far as this machine goes.
struct OwnerProcess {
    pid_t pid = 0;
    std::uint64_t startTicks = 0; // since boot
    std::uint64_t pidNamespace = 0; // the number means something in there only
    std::string boot; // the first 8 hex digits of the boot's id
};

OwnerProcess ownProcess();
// "1234.567890.4026531836.1a2b3c4d": fit for a label and a file name.
std::string ownerMark(const OwnerProcess& owner);
std::optional<OwnerProcess> parseOwnerMark(std::string_view mark);
// False where it lives, and where that cannot be known from here (another pid namespace).
bool isGone(const OwnerProcess& owner);
// Field 22 of /proc/PID/stat; 0 if there is no such process.
std::uint64_t processStartTicks(pid_t pid);

} // namespace sg::sandbox
