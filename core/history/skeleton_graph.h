#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/graph/graph.h"

namespace sg::history {

// Builds the graph of a thread from its checkpoints: the nodes that ran or were triggered, the edges that
// tasks followed, and the channels of the state. Nothing is guessed: what no task of the newest
// kSkeletonCheckpoints did is missing, and so are kinds and code. Nodes are in the order of the newest
// checkpoint. It has at most kSkeletonParts each of nodes, channels and edges, and no nodes if the thread has
// no checkpoints.
inline constexpr std::int64_t kSkeletonCheckpoints = 300;
inline constexpr std::size_t kSkeletonParts = 5000;
Result<graph::Graph> skeletonGraph(checkpoint::CheckpointStore& store, const ThreadId& thread);

} // namespace sg::history
