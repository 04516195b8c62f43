#pragma once

#include "core/engine/engine.h"
#include "core/engine/state/graph_state.h"
#include "core/engine/state/pending.h"
#include "core/engine/steps/task.h"

#include <optional>
#include <string>
#include <vector>

namespace sg::engine {

// A checkpoint and the tasks that follow it, as the `checkpoints` stream shows them.
struct CheckpointView {
    const CompiledGraph& graph;
    const GraphState& state;
    const ThreadId& thread;
    const std::string& ns;
    CheckpointId id;
    const std::optional<CheckpointId>& parent;
    const checkpoint::CheckpointMetadata& metadata;
    const std::vector<Task>& tasks; // with ids
    const std::vector<Pending>& pending;
    const std::vector<std::int32_t>& outputKeys;
};
Value checkpointChunk(const CheckpointView& view);

// {"configurable": {"thread_id", "checkpoint_ns", "checkpoint_id", "checkpoint_map"}}
Value configValue(const SnapshotConfig& config);
SnapshotConfig configOf(const ThreadId& thread, const std::string& ns, const CheckpointId& id,
                        const checkpoint::CheckpointMetadata& metadata);
// {"source", "step", "parents", …}
Value metadataValue(const checkpoint::CheckpointMetadata& metadata);
// Tells whether the task has a nested graph whose checkpoints can be asked for.
bool hasNestedState(const CompiledGraph& graph, const Task& task);

} // namespace sg::engine
