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

// A write recorded for a superstep that has not ended.
struct Pending {
    std::string taskId;
    Write write;
};

// What those writes say of one task. It has finished if, and only if, it has output.
struct TaskStatus {
    Writes output;
    ValueList interrupts; // the last that it raised, answered or not
    std::optional<Value> error;
    [[nodiscard]] bool finished() const { return !output.empty(); }
};

std::vector<Pending> readPending(const CompiledGraph& graph,
                                 const std::vector<checkpoint::PendingWrite>& stored);
// Of all tasks but the null task; in order of their first write.
class TaskStatuses {
public:
    explicit TaskStatuses(const std::vector<Pending>& pending);
    [[nodiscard]] const TaskStatus* find(const std::string& taskId) const;
    [[nodiscard]] const std::vector<std::pair<std::string, TaskStatus>>& all() const { return m_all; }

private:
    std::vector<std::pair<std::string, TaskStatus>> m_all;
    std::unordered_map<std::string, std::size_t> m_places;
};

// Channels stored as changes that these writes touch.
std::vector<std::int32_t> pendingDeltas(const CompiledGraph& graph, const std::vector<Pending>& pending);
bool isDelta(const CompiledGraph& graph, const Write& write);
bool isNull(const Pending& pending); // of the null task

// As rows: places by LangGraph's rule, errors as text; untracked channels left out where asked.
std::vector<checkpoint::PendingWrite> storedWrites(const CompiledGraph& graph, const std::string& taskId,
                                                   const std::string& path, const Writes& writes,
                                                   bool withUntracked = false);
// The same in the form of a task that has just ended.
checkpoint::NewWrites newWrites(const CompiledGraph& graph, const std::string& taskId, std::string path,
                                const Writes& writes);
// A Send whose argument lost the keys of untracked channels.
Value withoutUntracked(const CompiledGraph& graph, const Value& send);

// An ERROR write's value in memory is {"type", "message", "repr"}; stored it is the repr alone.
Value raisedError(const std::string& type, const std::string& message, const std::string& repr);
Value storedError(const Value& error);

} // namespace sg::engine
