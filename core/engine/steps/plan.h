#pragma once

#include "core/engine/state/graph_state.h"
#include "core/engine/steps/task.h"

#include <cstdint>
#include <vector>

namespace sg::engine {

// Values that a node may read besides channels.
struct StepLimits {
    std::int64_t step = 0;
    std::int64_t stop = 0;
};

// Plans who runs next: Sends by index, then triggered nodes. With `updated` (the channels that the last
// superstep updated) it looks only at nodes that these trigger, in the order of their names; without it, at
// all nodes in declaration order. A pure function; ids are left empty.
std::vector<Task> planTasks(const GraphState& state, const StepLimits& limits, const ChannelSet* updated);
// Does the same in place of `tasks`, whose memory is used again.
void planTasks(const GraphState& state, const StepLimits& limits, const ChannelSet* updated,
               std::vector<Task>& tasks);

// Returns what a task of this node reads now.
Value readState(const GraphState& state, const std::vector<ReadKey>& reads, const StepLimits& limits);
Value managedValue(ReadKey::Kind kind, const StepLimits& limits);

} // namespace sg::engine
