#pragma once

#include "core/engine/state/graph_state.h"
#include "core/engine/steps/task_path.h"

#include <optional>
#include <span>

namespace sg::engine {

enum class Triggered {
    No, // the input, which only writes
    ByNode, // by the node's own triggers
    Otherwise, // by a Send or a state update: a superstep passes, no trigger was read
};

// A task as applyWrites() needs it.
struct AppliedTask {
    TaskPath path;
    std::int32_t node = -1; // -1: input
    Triggered triggered = Triggered::No;
    Writes* writes = nullptr; // moved from
};

// This is the barrier between supersteps: it folds the writes of `tasks` into channels and versions, sorted
// by path so that finishing order cannot matter. `updated` gets the channels that were updated and hold a
// value. Without `versions` (reading a stored state) versions stay and nothing counts as updated. It is a
// pure function but for the random part of versions.
std::optional<Failure> applyWrites(GraphState& state, std::span<AppliedTask> tasks,
                                   const VersionSource* versions, ChannelSet& updated);

} // namespace sg::engine
