#pragma once

#include "core/engine/state/graph_state.h"
#include "core/engine/steps/task.h"

#include <cstdint>
#include <vector>

namespace sg::engine {

// Values that a node may read beside channels.
struct StepLimits {
    std::int64_t step = 0;
    std::int64_t stop = 0;
};

// Who runs next: Sends by index, then triggered nodes. With `updated` (the channels that the last superstep
// updated) only nodes that those trigger are looked at, in the order of their names; without, all, in
// declaration order. Pure. Ids are left empty.
std::vector<Task> planTasks(const GraphState& state, const StepLimits& limits, const ChannelSet* updated);
// The same in the place of `tasks`, whose memory is used again.
void planTasks(const GraphState& state, const StepLimits& limits, const ChannelSet* updated,
               std::vector<Task>& tasks);

// What a task of this node reads now.
Value readState(const GraphState& state, const std::vector<ReadKey>& reads, const StepLimits& limits);
Value managedValue(ReadKey::Kind kind, const StepLimits& limits);

} // namespace sg::engine
