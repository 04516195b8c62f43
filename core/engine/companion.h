#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"

#include <functional>
#include <optional>

namespace sg::engine {

// A Companion is something that belongs to a thread and goes back in time with its state, such as a sandbox
// session. The engine knows nothing else about it. Its data is written in the transaction of the checkpoint
// that it belongs to, so that neither is ever stored without the other.
class Companion {
public:
    using Save = std::function<Result<void>()>; // empty: there is nothing to store

    virtual ~Companion() = default;

    // Called on the run's own thread before anything else. `loaded` is the root checkpoint that the run
    // starts from; nullopt if the thread has none. `goesOn` says that the results of its superstep's finished
    // tasks are kept; otherwise these tasks run again, or a new input replaces them. An error ends the run.
    virtual Result<void> begins(const std::optional<checkpoint::CheckpointRef>& loaded, bool goesOn) = 0;

    // Called on any of the run's threads when a checkpoint of the root or of a nested graph is made. The
    // returned function is called when, and only if, the checkpoint is stored.
    virtual Save checkpointDue(const checkpoint::CheckpointRef& made) = 0;

    // Called when a task has succeeded and others still run: its effects must outlive a crash from now on.
    virtual Save taskDone(const TaskId& task) = 0;

    // Called when the run ends within a superstep (a failure, an interrupt, a stop).
    virtual Save superstepLeft() = 0;
};

} // namespace sg::engine
