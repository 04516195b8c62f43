#include "core/base/uuid.h"
#include "core/engine/reads/update_context.h"
#include "core/engine/reads/update_step.h"
#include "core/engine/state/delta_snapshots.h"
#include "core/engine/steps/task_ids.h"

#include <algorithm>

// These functions apply updates that count as results of nodes.
namespace sg::engine {

// Returns the node that wrote last, if it can be told.
Outcome<std::string> UpdateStep::inferNode() const
{
    const Failure ambiguous = invalidUpdate("Ambiguous update, specify as_node");
    const ValueMap seen = seenWithoutBumps(m_opened.state.versionsSeen());
    std::vector<std::pair<Version, std::string>> versions;
    bool any = m_graph.nodes.size() == 1;
    for (const auto& [node, entries] : seen) {
        any = any || (entries.isMap() && !entries.asMap().empty());
        if (!m_graph.findNode(node.asString()))
            continue;
        for (const auto& entry : entries.asMap())
            versions.emplace_back(readVersion(entry.second), node.asString());
    }
    if (!any || m_graph.nodes.size() == 1)
        return std::string(kStartNode);
    std::ranges::sort(versions, [](const auto& a, const auto& b) {
        return std::pair(a.first.number, a.second) < std::pair(b.first.number, b.second);
    });
    if (versions.empty())
        return ambiguous;
    if (versions.size() > 1 && versions.back().first.number == versions[versions.size() - 2].first.number)
        return ambiguous;
    return versions.back().second;
}

Outcome<SnapshotConfig> UpdateStep::updateAsNodes(const std::vector<NamedUpdate>& updates)
{
    std::vector<std::string> nodes;
    for (const NamedUpdate& each : updates) {
        std::optional<std::string> node = each.update.asNode;
        if (!node && updates.size() > 1)
            return invalidUpdate("as_node is required when applying multiple updates");
        if (!node) {
            auto inferred = inferNode();
            if (const Failure* error = errorOf(inferred))
                return *error;
            node = std::get<std::string>(inferred);
        }
        if (!m_graph.findNode(*node))
            return invalidUpdate("Node " + *node + " does not exist");
        nodes.push_back(*node);
    }
    std::vector<std::pair<std::int32_t, std::string>> prepared;
    for (const Task& task : m_opened.tasks)
        prepared.emplace_back(task.node, task.id);
    std::deque<Update> tasks;
    for (std::size_t i = 0; i < updates.size(); ++i)
        if (auto error = addTask(updates[i], nodes[i], tasks, prepared))
            return *std::move(error);
    std::vector<std::int32_t> written;
    std::vector<AppliedTask> applied;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const TaskPath path{ TaskPath::Kind::Update, static_cast<std::int64_t>(i), -1, false };
        for (const Write& write : tasks[i].writes) {
            if (write.channel >= 0)
                written.push_back(write.channel);
            if (isDelta(m_graph, write) && checkpoint::asOverwrite(write.value))
                m_forced.push_back(write.channel);
        }
        if (auto error = storeOnBase(tasks[i].id, path.text(m_graph), tasks[i].writes))
            return *std::move(error);
        applied.push_back({ path, tasks[i].node, Triggered::Otherwise, &tasks[i].writes });
    }
    ChannelSet updated(m_graph.channels.size());
    if (auto error = applyWrites(m_opened.state, applied, &m_versions, updated))
        return *std::move(error);
    return put(checkpoint::Source::Update, step() + 1, step() + 1, written);
}

std::optional<Failure> UpdateStep::addTask(const NamedUpdate& update, const std::string& node,
                                           std::deque<Update>& tasks,
                                           std::vector<std::pair<std::int32_t, std::string>>& prepared)
{
    Update& task = tasks.emplace_back();
    task.node = *m_graph.findNode(node);
    const auto same = std::ranges::find(prepared, task.node, &std::pair<std::int32_t, std::string>::first);
    if (same != prepared.end()) {
        task.id = same->second;
        prepared.erase(same);
    }
    if (update.taskId)
        task.id = *update.taskId;
    if (task.id.empty()) {
        std::string name = kInterruptName;
        if (tasks.size() > 1)
            name += ":" + std::to_string(tasks.size() - 1);
        const auto space = parseUuid(baseId());
        task.id = space ? uuidText(uuid5(*space, name)) : kNullTaskId;
    }
    const StepLimits limits{ step(), step() + 2 };
    const WriterScene scene{ m_opened.state,
                             m_graph.node(task.node),
                             limits,
                             false,
                             m_services.random,
                             [&](NodeBody& body, const Value& input) {
                                 UpdateContext context(m_at.thread, NodeId(node), TaskId(task.id), input);
                                 return body.run(context);
                             } };
    TaskEnd end = runWriters(scene, update.update.values, task.writes);
    if (end.kind == TaskEnd::Kind::Failed)
        return *std::move(end.failure);
    if (end.kind != TaskEnd::Kind::Done)
        return Failure{ end.kind == TaskEnd::Kind::Command ? "ParentCommand" : "GraphInterrupt",
                        "a state update cannot reach beyond its graph" };
    return std::nullopt;
}

// The update is stored on the checkpoint before it, so that history shows it as the task's result and
// channels stored as changes find it. This is not done on a checkpoint that the thread has moved past,
// because its other children would find it, too.
std::optional<Failure> UpdateStep::storeOnBase(const std::string& taskId, const std::string& path,
                                               const Writes& writes)
{
    if (!m_record)
        return std::nullopt;
    if (m_superseded) {
        for (const Write& write : writes)
            if (isDelta(m_graph, write))
                m_forced.push_back(write.channel);
        return std::nullopt;
    }
    if (writes.empty())
        return std::nullopt;
    auto stored =
        m_services.store->putWrites(m_record->ref, storedWrites(m_graph, taskId, path, writes, true));
    if (!stored)
        return storeError(stored.error());
    return std::nullopt;
}

} // namespace sg::engine
