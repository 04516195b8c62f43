#pragma once

#include "core/base/ids.h"
#include "core/engine/steps/task.h"

#include <cstdint>
#include <string>

namespace sg::engine {

// Makes the ids of the tasks that follow a checkpoint; everyone gets the same, LangGraph included.
struct TaskIds {
    std::string checkpointBytes; // its id, 16 bytes
    int checkpointVersion = 4; // 1: SHA-1, as old files have it
    std::string ns; // of the graph
    std::int64_t step = 0;

    TaskIds(const CheckpointId& checkpoint, int version, std::string graphNs, std::int64_t taskStep);
    [[nodiscard]] std::string of(const CompiledGraph& graph, const Task& task) const;
    // Returns the id of the task that handles another's failure.
    [[nodiscard]] std::string ofHandler(const CompiledGraph& graph, std::int32_t handler,
                                        const std::string& failedTask) const;

private:
    [[nodiscard]] std::string hash(const std::string& node, const std::string& rest) const;
};

// Returns "node:taskid" under the graph's own namespace.
std::string taskNamespace(const std::string& graphNs, const std::string& node, const std::string& taskId);
// Returns the id of a task's interrupt that follows `answered` answers.
std::string interruptId(const std::string& taskNs, std::size_t answered);
// Drops task ids and numbers: "a:…|1|b:…" → "a|b"
std::string plainNamespace(const std::string& ns);
// Drops task ids, but keeps the numbers of repeated calls: "a:…|1" → "a|1"
std::string ownNamespace(const std::string& ns);
// Returns the namespace of the graph that holds the graph of this task.
std::string parentNamespace(const std::string& taskNs);

} // namespace sg::engine
