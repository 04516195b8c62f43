#pragma once

#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/run_status.h"
#include "core/checkpoint/checkpoint.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::checkpoint {

struct RunRecord {
    RunId id;
    ThreadId thread;
    std::string graph; // the graph's name
    WallTime startedAt;
    std::optional<WallTime> finishedAt; // nullopt: running, or its process died
    RunStatus status = RunStatus::Running; // until finished
    std::string error;
    std::int64_t supersteps = 0;
};

// The Python packages that a run's code had in addition to those of its sandbox.
struct RunPackages {
    std::string layer; // its id
    std::vector<std::string> pins; // "networkx==3.3"
    friend bool operator==(const RunPackages&, const RunPackages&) = default;
};

// The "layer" of the project's own modules. A pin of it is "FILE sha256:DIGITS".
inline constexpr const char* kProjectModules = "modules";

// One attempt of one task.
struct TaskRecord {
    CheckpointRef checkpoint; // where its superstep started
    TaskId task;
    NodeId node;
    std::int64_t step = 0;
    std::int64_t attempt = 1;
    WallTime startedAt;
    double seconds = 0;
    TaskOutcome outcome = TaskOutcome::Done;
    std::string error;
    std::string detail; // traceback
};

// A piece of what a task printed. It may hold any bytes.
struct LogRecord {
    std::int64_t seq = 0; // rises within a run; addLog() sets it
    RunId run;
    WallTime time;
    TaskId task;
    NodeId node;
    std::int64_t step = 0;
    std::string stream; // "stdout", "stderr", …
    std::string bytes;
};

// The run id of output that a thread's console printed. No run has this id, and runs() never lists it.
inline constexpr std::string_view kConsoleRun = "console:";
inline RunId consoleRun(const ThreadId& thread)
{
    return RunId(std::string(kConsoleRun) + thread.value);
}

// The RunLog keeps timings and output of past runs in sandglass_ tables, in the file of the checkpoints. Any
// thread may use it; calls that write wait for the store's writer and take part in its together(). In a file
// without these tables reading finds nothing.
class RunLog {
public:
    virtual ~RunLog() = default;

    virtual Result<void> startRun(const RunRecord& run) = 0; // replaces a run of the same id
    virtual Result<void> finishRun(const RunId& run, WallTime at, RunStatus status, const std::string& error,
                                   std::int64_t supersteps) = 0;
    virtual Result<void> addPackages(const RunId& run, const RunPackages& packages) = 0; // once a layer
    // The text of the graph that a run was started on is stored once, however many runs share it.
    virtual Result<void> addGraph(const RunId& run, const std::string& text) = 0;
    // Each of these two is one transaction, which does not wait for the disk.
    // Replaces the same attempts. One that goes on after a question or a failure is numbered on from those
    // before it: `attempt` counts those of this run.
    virtual Result<void> addTasks(const std::vector<TaskRecord>& tasks) = 0;
    virtual Result<void> addLog(const std::vector<LogRecord>& records) = 0; // their seq is ignored

    virtual Result<std::vector<RunRecord>> runs(const ThreadId& thread) = 0; // newest first
    virtual Result<std::vector<RunPackages>> packagesOf(const RunId& run) = 0; // by layer
    virtual Result<std::optional<std::string>> graphOf(const RunId& run) = 0; // nullopt: it was not recorded
    virtual Result<std::vector<RunRecord>> lastRuns() = 0; // the newest of each thread
    virtual Result<std::vector<TaskRecord>> tasksOf(const ThreadId& thread) = 0; // in order of start
    // Returns records with seq ≥ from, oldest first, at most `limit`.
    virtual Result<std::vector<LogRecord>> logOf(const RunId& run, std::int64_t from, std::int64_t limit) = 0;
    // Returns the thread's newest `limit` records over all runs and its console, oldest first.
    virtual Result<std::vector<LogRecord>> logTail(const ThreadId& thread, std::int64_t limit) = 0;
};

} // namespace sg::checkpoint
