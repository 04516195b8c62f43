#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/engine/engine.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::workbench {

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

} // namespace sg::workbench
