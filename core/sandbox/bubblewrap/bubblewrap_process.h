#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"
#include "core/sandbox/bubblewrap/bubblewrap_arguments.h"
#include "core/sandbox/bubblewrap/launcher_thread.h"
#include "core/sandbox/bubblewrap/root_stage.h"
#include "core/sandbox/bubblewrap/session_cgroup.h"

#include <optional>
#include <string>
#include <vector>

namespace sg::sandbox {

// A running bubblewrap: the program itself, which waits outside, and process 1 of the sandbox.
struct BubblewrapProcess {
    ChildProcess outside;
    pid_t inside = 0;
    Fd insideEnd; // pidfd; readable once process 1, and so its whole pid namespace, is gone
    Fd stream; // our end of the socket pair
};

struct BubblewrapStart {
    std::string program;
    BubblewrapPlan plan;
    std::vector<std::string> command; // empty: the runner
    std::optional<RootStage> stage; // set where we are root
    const SessionCgroup* cgroup = nullptr; // joined before it starts
    std::vector<std::string> wrapper; // precedes the program
    std::vector<std::string> environment; // of the wrapper: bubblewrap itself must have none
};

// Returns once the command runs. The error holds what bubblewrap said.
Result<BubblewrapProcess> startBubblewrap(const BubblewrapStart& start, LauncherThread& launcher);

// The part of stderr that has come so far, at most a few KiB.
std::string readLastWords(ChildProcess& process);

// Returns why no sandbox can be made on this machine and how to change that; empty: no reason is known.
std::string namespaceAdvice();

} // namespace sg::sandbox
