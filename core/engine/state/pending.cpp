#include "core/engine/state/pending.h"

#include "core/checkpoint/serde/langgraph_types.h"
#include "core/engine/names.h"

#include <algorithm>

namespace sg::engine {

std::vector<Pending> readPending(const CompiledGraph& graph,
                                 const std::vector<checkpoint::PendingWrite>& stored)
{
    std::vector<Pending> out;
    out.reserve(stored.size());
    for (const checkpoint::PendingWrite& write : stored)
        out.push_back({ write.taskId.value, namedWrite(graph, write.channel, write.value) });
    return out;
}

TaskStatuses::TaskStatuses(const std::vector<Pending>& pending)
{
    for (const auto& [taskId, write] : pending) {
        if (taskId == kNullTaskId)
            continue;
        const auto [place, isNew] = m_places.try_emplace(taskId, m_all.size());
        if (isNew)
            m_all.emplace_back(taskId, TaskStatus{});
        TaskStatus& status = m_all[place->second].second;
        if (write.channel == kInterruptWrite) {
            const ValueList single{ write.value };
            const ValueList& raised = write.value.isList() ? write.value.asList() : single;
            status.interrupts.insert(status.interrupts.end(), raised.begin(), raised.end());
        } else if (write.channel == kErrorWrite) {
            if (!status.error)
                status.error = write.value;
        } else if (!isControl(write)) {
            status.output.push_back(write);
        }
    }
}

const TaskStatus* TaskStatuses::find(const std::string& taskId) const
{
    const auto place = m_places.find(taskId);
    return place == m_places.end() ? nullptr : &m_all[place->second].second;
}

bool isNull(const Pending& pending)
{
    return pending.taskId == kNullTaskId;
}

bool isDelta(const CompiledGraph& graph, const Write& write)
{
    return write.channel >= 0 && graph.channel(write.channel).deltaFrequency.has_value();
}

std::vector<std::int32_t> pendingDeltas(const CompiledGraph& graph, const std::vector<Pending>& pending)
{
    std::vector<std::int32_t> out;
    for (const Pending& each : pending)
        if (isDelta(graph, each.write) && std::ranges::find(out, each.write.channel) == out.end())
            out.push_back(each.write.channel);
    return out;
}

Value withoutUntracked(const CompiledGraph& graph, const Value& packet)
{
    const auto send = checkpoint::asSend(packet);
    if (!send || !send->arg.isMap())
        return packet;
    ValueMap kept;
    for (const auto& [key, value] : send->arg.asMap()) {
        const auto channel = key.isString() ? graph.findChannel(key.asString()) : std::nullopt;
        if (!channel || !graph.channel(*channel).untracked)
            kept.set(key, value);
    }
    return kept.size() == send->arg.asMap().size() ? packet
                                                   : checkpoint::makeSend(send->node, Value(std::move(kept)));
}

namespace {

Value storedValue(const CompiledGraph& graph, const Write& write, bool filter)
{
    if (filter && write.channel == graph.tasksChannel)
        return withoutUntracked(graph, write.value);
    return write.channel == kErrorWrite ? storedError(write.value) : write.value;
}

bool isUntracked(const CompiledGraph& graph, const Write& write)
{
    return write.channel >= 0 && graph.channel(write.channel).untracked;
}

} // namespace

checkpoint::NewWrites newWrites(const CompiledGraph& graph, const std::string& taskId, std::string path,
                                const Writes& writes)
{
    checkpoint::NewWrites out{ TaskId(taskId), std::move(path), {} };
    out.writes.reserve(writes.size());
    for (const Write& write : writes)
        if (!isUntracked(graph, write))
            out.writes.push_back(
                { writeChannelKey(graph, write), storedValue(graph, write, graph.hasUntracked) });
    return out;
}

std::vector<checkpoint::PendingWrite> storedWrites(const CompiledGraph& graph, const std::string& taskId,
                                                   const std::string& path, const Writes& writes,
                                                   bool withUntracked)
{
    const bool filter = graph.hasUntracked && !withUntracked;
    std::vector<checkpoint::PendingWrite> rows;
    rows.reserve(writes.size());
    std::int64_t place = 0;
    for (const Write& write : writes) {
        if (filter && isUntracked(graph, write))
            continue;
        checkpoint::PendingWrite& row = rows.emplace_back();
        row.taskId = TaskId(taskId);
        row.taskPath = path;
        row.channel = writeChannelName(graph, write);
        row.value = storedValue(graph, write, filter);
        row.index = place++;
        switch (write.channel) {
        case kErrorWrite: row.index = -1; break;
        case kScheduledWrite: row.index = -2; break;
        case kInterruptWrite: row.index = -3; break;
        case kResumeWrite: row.index = -4; break;
        default: break;
        }
    }
    return rows;
}

Value raisedError(const std::string& type, const std::string& message, const std::string& repr)
{
    return Value::map({ { "type", type }, { "message", message }, { "repr", repr } });
}

Value storedError(const Value& error)
{
    return error.isMap() ? error["repr"] : error;
}

} // namespace sg::engine
