#pragma once

#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/base/run_status.h"
#include "core/base/value.h"
#include "core/checkpoint/source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// The events that a run sends its listeners, in order: plain values. State itself is read by checkpoint id.
namespace sg::engine {

struct RunStarted {
    std::string graphName;
};
// RunTask describes a task. TaskStarted and TaskFinished repeat it, so that no listener has to remember it.
struct RunTask {
    TaskId task;
    NodeId node;
    std::string ns; // of the graph that holds the node
    std::int64_t step = 0;
    CheckpointId checkpoint; // the superstep's start; never empty
    WallTime startedAt{};
    int attempts = 1; // the number of the attempt under way, or how many there were
};
struct TaskStarted : RunTask { };
struct TaskFinished : RunTask {
    using Outcome = TaskOutcome;
    Outcome outcome = Outcome::Done;
    double seconds = 0;
    std::string error = {}; // "ValueError: boom"
    std::string detail = {}; // traceback
    std::string preview = {}; // a short text of what it wrote or asked
};
struct TaskRetrying {
    TaskId task;
    NodeId node;
    int nextAttempt = 2;
    double delaySeconds = 0;
    std::string error;
};
struct LogLine { // a chunk as printed, any bytes
    TaskId task;
    NodeId node;
    std::int64_t step = 0;
    enum class Stream { Stdout, Stderr, Event };
    Stream stream = Stream::Stdout;
    std::string bytes;
    bool isWarning = false; // of an event: something that the node made is dropped or lost
};
// Things that the task's node found in its sandbox were brought back or lost: {"kind", "missing": [{"kind",
// "name"}], …}.
struct SandboxRestored {
    TaskId task;
    NodeId node;
    std::int64_t step = 0;
    Value how;
};
struct CustomEvent {
    TaskId task;
    NodeId node;
    Value value;
};
struct CheckpointSaved {
    CheckpointId checkpoint;
    std::string ns;
    CheckpointId parent; // empty: none
    Word<checkpoint::Source> source;
    std::int64_t step = 0;
    std::vector<NodeId> after; // nodes whose writes it holds
    std::vector<NodeId> next;
};
// A chunk of LangGraph's stream, for listeners that asked for its mode ("values", "updates", …).
struct StreamChunk {
    std::string mode;
    std::string ns;
    Value data;
};
struct ArtifactStored {
    ArtifactId artifact;
    NodeId node;
    std::string name;
    std::uint64_t size = 0;
};
// The first task of a run that failed, whatever became of that: its error handler may have gone on, or failed
// itself. A failure inside a nested graph comes before that of the node which holds it.
struct FirstFailure {
    NodeId node;
    std::string ns; // of the graph that holds the node
    std::int64_t step = 0;
    std::string errorType; // "ValueError"
    std::string error; // message
};
struct RunFinished {
    RunStatus status = RunStatus::Done;
    std::string error;
    std::string errorType;
    NodeId failedNode; // empty: none
    std::string detail;
    std::int64_t supersteps = 0;
    double seconds = 0;
    std::optional<FirstFailure> firstFailure = {}; // absent: no task failed
};

// The first failure where the run ended by another one, which its error alone does not tell. Else absent.
std::optional<FirstFailure> earlierFailure(const RunFinished& end);

using RunEventBody =
    std::variant<RunStarted, TaskStarted, TaskFinished, TaskRetrying, LogLine, SandboxRestored, CustomEvent,
                 CheckpointSaved, StreamChunk, ArtifactStored, RunFinished>;
struct RunEvent {
    std::uint64_t sequence = 0; // from 1 in each run, without gaps
    WallTime time;
    ThreadId thread;
    RunId run;
    RunEventBody body;
};

} // namespace sg::engine
