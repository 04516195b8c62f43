#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sg::checkpoint {

// A task that was given to a worker, or (without a role) something that a task does outside. A job's id is
// made of all of these, so that the same work has the same id also when it is given out again by another
// process.
struct Dispatch {
    ThreadId thread;
    TaskId task;
    std::int64_t number = 1; // the task's first, second, … job
    std::string digest; // of what is to be done
    std::string role{};
    std::string job{};
    enum class State {
        Open, // nothing of its result is stored yet
        Received, // its result is stored
        Failed, // its failure was told; the job may be tried again from its role's dead letters
    };
    State state = State::Open;
    friend bool operator==(const Dispatch&, const Dispatch&) = default;
};

// The DispatchLog keeps these in a sandglass_ table of the checkpoints' file, which is made when it is first
// written. Any thread may use it; it takes part in its store's together().
class DispatchLog {
public:
    virtual ~DispatchLog() = default;

    virtual Result<void> put(const Dispatch& dispatch) = 0; // replaces; does not wait for the disk
    virtual Result<void> settle(const std::vector<Dispatch>& all, Dispatch::State state) = 0;
    virtual Result<std::optional<Dispatch>> find(const ThreadId& thread, const TaskId& task,
                                                 std::int64_t number) = 0;
    virtual Result<std::optional<Dispatch>> newest(const ThreadId& thread, const TaskId& task) = 0;
    virtual Result<std::vector<Dispatch>> all(const ThreadId& thread) = 0; // oldest first
};

} // namespace sg::checkpoint
