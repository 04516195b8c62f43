#pragma once

#include "core/engine/state/graph_state.h"
#include "core/engine/steps/task_path.h"

#include <optional>
#include <span>

namespace sg::engine {

enum class Triggered {
    No, // input: writes alone
    ByNode, // the node's own triggers
    Otherwise, // a Send or a state update: a superstep passes, no trigger was read
};

// What applyWrites needs to know of a task.
struct AppliedTask {
    TaskPath path;
    std::int32_t node = -1; // -1: input
    Triggered triggered = Triggered::No;
    Writes* writes = nullptr; // moved from
};

// The barrier between supersteps: folds the writes of `tasks`, sorted by path so that finishing order cannot
// matter, into channels and versions. Returns the channels that were updated and hold a value. Without
// `versions` (reading a stored state) versions stay and nothing counts as updated. Pure but for the ids that
// versions need.
std::optional<Failure> applyWrites(GraphState& state, std::span<AppliedTask> tasks,
                                   const VersionSource* versions, ChannelSet& updated);

} // namespace sg::engine
