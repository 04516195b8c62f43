#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sg::sessions {

class RunnerLink;

// A process of a sandbox. `command` may be any bytes: escape them before showing them.
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
    std::int64_t total = 0; // larger than the list where a limit cut it
};

// May be called while a cell runs, and changes nothing in the session. Errc::InvalidArgument: an older
// version started the sandbox.
Result<ProcessList> listProcesses(RunnerLink& link);

} // namespace sg::sessions
