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

// These functions show what a checkpoint tells without its graph: which nodes its channels trigger, and what
// their tasks have written. They are exact for everything that channels' names carry (branch:to:N,
// join:A+B:N, Sends). A task that has not run yet has an id only if all its triggers are known.
std::vector<NodeId> pendingNodes(const checkpoint::Checkpoint& checkpoint);
// A channel whose value the node that it triggers has not seen. The list is in the file's order.
struct ReadyTrigger {
    NodeId node;
    std::string channel;
};
std::vector<ReadyTrigger> readyTriggers(const checkpoint::Checkpoint& checkpoint);
// Returns the nodes of its Sends, in order.
std::vector<NodeId> sendTargets(const checkpoint::Checkpoint& checkpoint);
// Reads "~__pregel_push, 0000000001, 0000000000" as 1; nullopt for anything else.
std::optional<std::size_t> sendIndex(std::string_view taskPath);
bool isStateChannel(std::string_view channel);
engine::StateSnapshot inertSnapshot(const checkpoint::CheckpointRecord& record);

// The status of a thread without a run, by its newest checkpoint: done, failed, interrupted or unfinished.
RunStatus restingStatus(const checkpoint::CheckpointRecord& head);

// Rebuilds the channels that a checkpoint stores as changes from its ancestors' writes and sets them in
// `values`: lists grow, messages replace those with their id. Only the graph knows whether a channel has
// another reducer, so its result would not be shown.
Result<void> addChangedChannels(checkpoint::CheckpointStore& store,
                                const checkpoint::CheckpointRecord& record, ValueMap& values);

// Returns the state's channels as stored, those stored as changes rebuilt.
Result<Value> storedValues(checkpoint::CheckpointStore& store, const checkpoint::CheckpointRecord& record);

} // namespace sg::history
