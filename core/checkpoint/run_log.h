#pragma once

#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/base/result.h"
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
    std::string status; // as the engine names it; "running" until finished
    std::string error;
    std::int64_t supersteps = 0;
};

// Python packages that a run's code had beside those of its sandbox.
struct RunPackages {
    std::string layer; // its id
    std::vector<std::string> pins; // "networkx==3.3"
    friend bool operator==(const RunPackages&, const RunPackages&) = default;
};

// The "layer" of the project's own modules; a pin is "FILE sha256:DIGITS".
inline constexpr const char* kProjectModules = "modules";

// One attempt of one task.
struct TaskRecord {
    CheckpointRef checkpoint; // what its superstep started from
    TaskId task;
    NodeId node;
    std::int64_t step = 0;
    std::int64_t attempt = 1;
    WallTime startedAt;
    double seconds = 0;
    std::string outcome; // "done", "interrupted", "failed", "stopped"
    std::string error;
    std::string detail; // traceback
};

// A piece of what a task printed; any bytes.
struct LogRecord {
    std::int64_t seq = 0; // rises within a run; given by addLog
    RunId run;
    WallTime time;
    TaskId task;
    NodeId node;
    std::int64_t step = 0;
    std::string stream; // "stdout", "stderr", …
    std::string bytes;
};

// Under which id the log has what cells of a thread's console printed: no run of the engine has it, and none
// is listed for it.
inline constexpr std::string_view kConsoleRun = "console:";
inline RunId consoleRun(const ThreadId& thread)
{
    return RunId(std::string(kConsoleRun) + thread.value);
}

// Timings and output of past runs, beside the checkpoints in sandglass_ tables. Any thread; calls that write
// wait for the store's writer and take part in its together(). In a file without these tables reading finds
// nothing.
class RunLog {
public:
    virtual ~RunLog() = default;

    virtual Result<void> startRun(const RunRecord& run) = 0; // replaces a run of the same id
    virtual Result<void> finishRun(const RunId& run, WallTime at, const std::string& status,
                                   const std::string& error, std::int64_t supersteps) = 0;
    virtual Result<void> addPackages(const RunId& run, const RunPackages& packages) = 0; // once a layer
    // The text of the graph that a run was started on: stored once, however many runs have the same.
    virtual Result<void> addGraph(const RunId& run, const std::string& text) = 0;
    // These two in one transaction each, which does not wait for the disk.
    virtual Result<void> addTasks(const std::vector<TaskRecord>& tasks) = 0; // replaces the same attempts
    virtual Result<void> addLog(const std::vector<LogRecord>& records) = 0; // their seq is ignored

    virtual Result<std::vector<RunRecord>> runs(const ThreadId& thread) = 0; // newest first
    virtual Result<std::vector<RunPackages>> packagesOf(const RunId& run) = 0; // by layer
    virtual Result<std::optional<std::string>> graphOf(const RunId& run) = 0; // none: it was not recorded
    virtual Result<std::vector<RunRecord>> lastRuns() = 0; // the newest of each thread
    virtual Result<std::vector<TaskRecord>> tasksOf(const ThreadId& thread) = 0; // in order of start
    // Records with seq ≥ from, oldest first, at most `limit`.
    virtual Result<std::vector<LogRecord>> logOf(const RunId& run, std::int64_t from, std::int64_t limit) = 0;
    // The thread's newest `limit` records over all runs and its console, oldest first.
    virtual Result<std::vector<LogRecord>> logTail(const ThreadId& thread, std::int64_t limit) = 0;
};

} // namespace sg::checkpoint
