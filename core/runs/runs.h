#pragma once

#include "core/base/subscription.h"
#include "core/engine/engine.h"
#include "core/graph/graph.h"
#include "core/rewind/run_world.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sg::runs {

struct RunRequest {
    ThreadId thread;
    engine::RunInput input;
    std::optional<CheckpointId> checkpoint;
    std::vector<std::string> streamModes;
    bool streamSubgraphs = false; // chunks of nested graphs too
    std::optional<engine::Durability> durability; // else the graph's, else sync
    std::optional<int> recursionLimit;
    std::vector<std::string> pauseBefore; // nodes; if not empty, replaces the graph's; "*" is every node
    rewind::SandboxChoice sandbox = rewind::SandboxChoice::Restore;
    ValueMap configurable; // LangGraph's config["configurable"] without the thread's id
    Value context; // LangGraph's Runtime.context for the nodes; never stored
};

// The runs of one project, each on its own thread. Any thread may call it.
class Runs {
public:
    virtual ~Runs() = default; // stops all runs and waits for them

    // Returns at once. Errc::Conflict: a run is under way on that thread, here or in another process.
    // InvalidArgument: the graph cannot be run; the message has all errors.
    virtual Result<RunId> start(const RunRequest& request) = 0;
    virtual void stop(const RunId& run) = 0;
    virtual void pause(const RunId& run) = 0; // it ends before its next superstep, as at a breakpoint
    // A thread that stands at a breakpoint is told as stopped from now on; it can go on all the same.
    // Errc::Conflict: it runs. NotFound: it stands at no breakpoint.
    virtual Result<void> stopPaused(const ThreadId& thread) = 0;
    virtual engine::RunResult wait(const RunId& run) = 0; // until it ends
    [[nodiscard]] virtual std::vector<std::pair<RunId, ThreadId>> running() const = 0;
    // Records and publishes output of the thread's console like that of runs; `task` names the cell.
    virtual void keepCellOutput(const ThreadId& thread, WallTime time, engine::LogLine output) = 0;
    // Returns when everything printed before is in the history.
    virtual void flushLog() = 0;
    // Publishes events of all runs. Listeners are called on the runs' threads and must be quick.
    virtual Publisher<engine::RunEvent>& events() = 0;
};

// Takes the place of runs in a project that was opened read-only: nothing can be run.
std::unique_ptr<Runs> makeNoRuns();

} // namespace sg::runs
