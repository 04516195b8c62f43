#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sg::sessions {

class RunnerLink;

// A process of a sandbox. `command` is what the sandbox says: anything, made printable before it is shown.
struct SessionProcess {
    std::int64_t pid = 0; // inside
    std::int64_t parent = 0;
    std::string state; // "R", "S", … as in /proc
    double cpuSeconds = 0;
    std::int64_t memoryBytes = 0; // resident
    std::int64_t threads = 0;
    std::string command;
};

struct ProcessList {
    std::vector<SessionProcess> processes; // the largest first
    std::int64_t total = 0; // more than were listed, where there are very many
};

// Also while a cell runs; changes nothing in the session. Errc::InvalidArgument from a sandbox that was
// started by an older version.
Result<ProcessList> listProcesses(RunnerLink& link);

} // namespace sg::sessions
