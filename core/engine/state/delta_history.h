#pragma once

#include "core/checkpoint/checkpoint_store.h"
#include "core/engine/state/graph_state.h"

#include <optional>

namespace sg::engine {

// Rebuilds the channels that have a version but no value in the checkpoint, from the nearest ancestor that
// holds a value and the writes stored on the ancestors since. `state` has loaded `record`.
std::optional<Failure> replayDeltaChannels(GraphState& state, const checkpoint::CheckpointRecord& record,
                                           checkpoint::CheckpointStore& store);

} // namespace sg::engine
