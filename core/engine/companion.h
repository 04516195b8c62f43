#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"

#include <functional>
#include <optional>

namespace sg::engine {

// What goes beside a thread's state and back in time with it (a sandbox); the engine knows no more of it.
// What it wants to store with a checkpoint is written in the checkpoint's own transaction, so that neither is
// ever there without the other.
class Companion {
public:
    using Save = std::function<Result<void>()>; // empty: there is nothing to store

    virtual ~Companion() = default;

    // A run begins, on its own thread, before anything else. `loaded`: the root checkpoint it starts from;
    // nullopt: the thread has none. `goesOn`: what tasks of its superstep finished is kept; else they run
    // again, or a new input takes their place. An error ends the run.
    virtual Result<void> begins(const std::optional<checkpoint::CheckpointRef>& loaded, bool goesOn) = 0;

    // A checkpoint of the root or of a nested graph is made; what is returned is stored when and if it is
    // stored. On the run's threads.
    virtual Save checkpointDue(const checkpoint::CheckpointRef& made) = 0;

    // A task has finished well while others of its superstep have not: what it did outlives a crash from now
    // on.
    virtual Save taskDone(const TaskId& task) = 0;

    // The run ends within a superstep (a failure, an interrupt, a stop).
    virtual Save superstepLeft() = 0;
};

} // namespace sg::engine
