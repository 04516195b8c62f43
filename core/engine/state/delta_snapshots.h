#pragma once

#include "core/engine/state/graph_state.h"

#include <vector>

// When channels that are stored as changes stand whole in a checkpoint.
namespace sg::engine {

inline constexpr std::int64_t kMostStepsWithoutSnapshot = 5000; // LangGraph's

// Those whose counters ({channel: [updates, supersteps]}) have reached their limit.
std::vector<std::int32_t> deltasToSnapshot(const GraphState& state, const ValueMap& counters);
// Snapshotted channels start counting anew; counters at zero are left out.
void resetCounters(const CompiledGraph& graph, ValueMap& counters,
                   const std::vector<std::int32_t>& snapshots);
// A snapshot of a channel that has not changed since the last save (`stored`, by place in graph.deltas) needs
// a version of its own. Whoever had seen the old one has seen the new: nothing was written.
void bumpSnapshotVersions(GraphState& state, const std::vector<std::int32_t>& snapshots,
                          const std::vector<Version>& stored, const VersionSource& versions);
// What nodes really read: without those bumps.
ValueMap seenWithoutBumps(const ValueMap& versionsSeen);

} // namespace sg::engine
