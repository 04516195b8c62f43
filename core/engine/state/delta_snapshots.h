#pragma once

#include "core/engine/state/graph_state.h"

#include <vector>

// These functions decide when a checkpoint holds the whole value of a channel that is stored as changes.
namespace sg::engine {

inline constexpr std::int64_t kMostStepsWithoutSnapshot = 5000; // LangGraph's

// Returns the channels whose counters ({channel: [updates, supersteps]}) have reached their limit.
std::vector<std::int32_t> deltasToSnapshot(const GraphState& state, const ValueMap& counters);
// Channels with a snapshot start counting anew; counters at zero are left out.
void resetCounters(const CompiledGraph& graph, ValueMap& counters,
                   const std::vector<std::int32_t>& snapshots);
// A snapshot of a channel that has not changed since the last save (`stored`, by place in graph.deltas) needs
// its own version. Nodes that had seen the old version count as having seen it: nothing was written.
void bumpSnapshotVersions(GraphState& state, const std::vector<std::int32_t>& snapshots,
                          const std::vector<Version>& stored, const VersionSource& versions);
// Returns the versions that nodes really read, without those bumps.
ValueMap seenWithoutBumps(const ValueMap& versionsSeen);

} // namespace sg::engine
