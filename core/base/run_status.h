#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// The states of runs, threads and tasks: one type from the engine to the views. Their words stand only in
// databases and in JSON.
namespace sg {

enum class RunStatus : std::uint8_t {
    Unknown, // nobody has said, or another program said a word that this one does not know
    Running,
    Done,
    Interrupted, // it waits for an answer, or holds before a node
    Failed,
    Stopped, // by a person, or by the caller
    RecursionLimit,
    // These are said of threads, never of a run:
    Unfinished, // nodes are to run next, and no run has recorded why it ended before
    Damaged, // the newest checkpoint cannot be read
};

enum class TaskOutcome : std::uint8_t {
    Unknown,
    Running,
    Done,
    Cached, // another run's result was taken
    Failed,
    Interrupted, // it asked a person
    Stopped,
    // These are made for display, and never recorded:
    Paused, // it would run next, and the thread holds before it
    Pending, // it is to run
};

// "running", "done", "interrupted", "failed", "stopped", "recursion_limit", "unfinished", "damaged"; "" for
// Unknown.
std::string runStatusName(RunStatus status);
std::string taskOutcomeName(TaskOutcome outcome); // likewise, with "cached", "paused" and "pending"
// Returns Unknown for any other word.
RunStatus runStatusNamed(std::string_view word);
TaskOutcome taskOutcomeNamed(std::string_view word);

} // namespace sg
