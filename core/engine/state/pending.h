#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/new_rows.h"
#include "core/engine/compile/compiled_graph.h"
#include "core/engine/compile/write.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sg::engine {

// A Pending is a write recorded for a superstep that has not ended.
struct Pending {
    std::string taskId;
    Write write;
};

// A task as its pending writes tell of it. It has finished if, and only if, it has output.
struct TaskStatus {
    Writes output;
    ValueList interrupts; // those that it raised last, answered or not
    std::optional<Value> error;
    [[nodiscard]] bool finished() const { return !output.empty(); }
};

std::vector<Pending> readPending(const CompiledGraph& graph,
                                 const std::vector<checkpoint::PendingWrite>& stored);
// Holds the status of every task but the null task, in the order of their first writes.
class TaskStatuses {
public:
    explicit TaskStatuses(const std::vector<Pending>& pending);
    [[nodiscard]] const TaskStatus* find(const std::string& taskId) const;
    [[nodiscard]] const std::vector<std::pair<std::string, TaskStatus>>& all() const { return m_all; }

private:
    std::vector<std::pair<std::string, TaskStatus>> m_all;
    std::unordered_map<std::string, std::size_t> m_places;
};

// Returns the channels stored as changes that these writes touch.
std::vector<std::int32_t> pendingDeltas(const CompiledGraph& graph, const std::vector<Pending>& pending);
bool isDelta(const CompiledGraph& graph, const Write& write);
bool isNull(const Pending& pending); // it belongs to the null task

// Returns the writes as rows, with places by LangGraph's rule and errors as text. Writes to untracked
// channels are included on request only.
std::vector<checkpoint::PendingWrite> storedWrites(const CompiledGraph& graph, const std::string& taskId,
                                                   const std::string& path, const Writes& writes,
                                                   bool withUntracked = false);
// Returns the writes of a task that has just ended.
checkpoint::NewWrites newWrites(const CompiledGraph& graph, const std::string& taskId, std::string path,
                                const Writes& writes);
// Returns the Send without the keys of untracked channels in its argument.
Value withoutUntracked(const CompiledGraph& graph, const Value& send);

// In memory the value of an ERROR write is {"type", "message", "repr"}; the database holds the repr alone.
Value raisedError(const std::string& type, const std::string& message, const std::string& repr);
Value storedError(const Value& error);

} // namespace sg::engine
