#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/graph/graph.h"

namespace sg::history {

// A graph that is not in the file, as far as the checkpoints of a thread tell it: the nodes that ran or were
// triggered, the ways that tasks took from one to the next, and the channels of the state. Nothing in it is
// guessed; what no task of the newest kSkeletonCheckpoints did is not there, and neither are kinds and code.
// Nodes stand in the order that the newest checkpoint names them in. At most kSkeletonParts nodes, channels
// and edges each. Without nodes where the thread has no checkpoints.
inline constexpr std::int64_t kSkeletonCheckpoints = 300;
inline constexpr std::size_t kSkeletonParts = 5000;
Result<graph::Graph> skeletonGraph(checkpoint::CheckpointStore& store, const ThreadId& thread);

} // namespace sg::history
