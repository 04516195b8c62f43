#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/engine/engine.h"

#include <string>
#include <vector>

namespace sg::workbench {

// What a checkpoint says without its graph: which nodes its channels trigger, and what their tasks wrote so
// far. Exact for everything that the channels' names carry (branch:to:N, join:A+B:N, Sends); a task that has
// not run yet has an id only where all its triggers are known.
std::vector<NodeId> pendingNodes(const checkpoint::Checkpoint& checkpoint);
bool isStateChannel(std::string_view channel);
engine::StateSnapshot inertSnapshot(const checkpoint::CheckpointRecord& record);

// How a thread that nothing runs on stands, from its newest checkpoint: "done", "failed", "interrupted",
// "unfinished".
std::string restingStatus(const checkpoint::CheckpointRecord& head);

} // namespace sg::workbench
