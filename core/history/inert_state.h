#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/engine/engine.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::history {

// What a checkpoint says without its graph: which nodes its channels trigger, and what their tasks wrote so
// far. Exact for everything that the channels' names carry (branch:to:N, join:A+B:N, Sends); a task that has
// not run yet has an id only where all its triggers are known.
std::vector<NodeId> pendingNodes(const checkpoint::Checkpoint& checkpoint);
// A channel with a value whose version the node that it triggers has not seen; in the order of the file.
struct ReadyTrigger {
    NodeId node;
    std::string channel;
};
std::vector<ReadyTrigger> readyTriggers(const checkpoint::Checkpoint& checkpoint);
// The nodes of its Sends, in order.
std::vector<NodeId> sendTargets(const checkpoint::Checkpoint& checkpoint);
// "~__pregel_push, 0000000001, 0000000000" → 1; nullopt for all else.
std::optional<std::size_t> sendIndex(std::string_view taskPath);
bool isStateChannel(std::string_view channel);
engine::StateSnapshot inertSnapshot(const checkpoint::CheckpointRecord& record);

// How a thread that nothing runs on stands, from its newest checkpoint: "done", "failed", "interrupted",
// "unfinished".
std::string restingStatus(const checkpoint::CheckpointRecord& head);

// The channels that a checkpoint stores as changes, rebuilt from its ancestors' writes and set in `values`:
// lists grow, messages replace those of their id. Only its graph knows another reducer; what that would have
// made of the writes is not told here.
Result<void> addChangedChannels(checkpoint::CheckpointStore& store,
                                const checkpoint::CheckpointRecord& record, ValueMap& values);

// The state's channels as they are stored, rebuilt where that is as changes.
Result<Value> storedValues(checkpoint::CheckpointStore& store, const checkpoint::CheckpointRecord& record);

} // namespace sg::history
