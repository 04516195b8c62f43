#include "core/engine/state_writer.h"

#include "core/base/uuid.h"
#include "core/engine/checkpoint_chunk.h"
#include "core/engine/delta_snapshots.h"
#include "core/engine/migrate.h"
#include "core/engine/task_ids.h"
#include "core/engine/update_context.h"
#include "core/engine/writers.h"

#include <algorithm>
#include <deque>

namespace sg::engine {
namespace {

using checkpoint::CheckpointRecord;

struct NamedUpdate {
    StateUpdate update;
    std::optional<std::string> taskId; // of the copied checkpoint's task that it stands for
};

struct UpdateTask {
    std::int32_t node = -1;
    std::string id;
    Writes writes;
};

EngineError invalid(std::string message)
{
    return { "InvalidUpdateError", std::move(message) };
}

// One superstep of updates on one checkpoint.
class UpdateStep {
public:
    UpdateStep(const CompiledGraph& graph, const Services& services, Uuid6Source& ids, StateAddress at,
               bool isFirst)
        : m_graph(graph)
        , m_services(services)
        , m_ids(ids)
        , m_at(std::move(at))
        , m_isFirst(isFirst)
        , m_versions(&services.random)
        , m_opened{ GraphState(graph, services.random), {}, {}, { 0, 1 } }
    {
    }

    Outcome<SnapshotConfig> run(const std::vector<NamedUpdate>& updates);

private:
    std::optional<EngineError> open();
    Outcome<SnapshotConfig> clearTasks();
    Outcome<SnapshotConfig> actAsInput(const Value& values);
    Outcome<SnapshotConfig> copy(const Value& values);
    Outcome<SnapshotConfig> updateAsNodes(const std::vector<NamedUpdate>& updates);
    Outcome<SnapshotConfig> updateCopy(const CheckpointId& copied, const ValueList& items);
    Outcome<std::string> inferNode() const;
    std::optional<EngineError> addTask(const NamedUpdate& update, const std::string& node,
                                       std::deque<UpdateTask>& tasks,
                                       std::vector<std::pair<std::int32_t, std::string>>& prepared);
    std::optional<EngineError> storeOnBase(const std::string& taskId, const std::string& path,
                                           const Writes& writes);
    Outcome<SnapshotConfig> put(const char* source, std::int64_t step, std::int64_t idStep,
                                const std::vector<std::int32_t>& updatedDeltas);
    std::string baseId();
    [[nodiscard]] std::int64_t step() const { return m_record ? m_record->metadata.step : -1; }

    const CompiledGraph& m_graph;
    const Services& m_services;
    Uuid6Source& m_ids;
    const StateAddress m_at;
    const bool m_isFirst;
    const VersionSource m_versions;
    std::optional<CheckpointRecord> m_record;
    bool m_superseded = false;
    OpenedState m_opened;
    std::vector<Version> m_storedDeltas;
    std::vector<std::int32_t> m_forced; // deltas that must stand whole in the new checkpoint
    std::string m_freshId;
};

EngineError storeError(const Error& error)
{
    return { "CheckpointError", error.message };
}

std::optional<EngineError> UpdateStep::open()
{
    auto found = m_services.store->get(m_at.thread, m_at.ns, m_at.checkpoint);
    if (!found)
        return storeError(found.error());
    m_record = *std::move(found);
    if (m_record) {
        migrateCheckpoint(m_record->checkpoint, m_graph);
        auto opened = openState(m_graph, *m_record, m_services);
        if (const EngineError* error = errorOf(opened))
            return *error;
        m_opened = std::get<OpenedState>(std::move(opened));
        if (m_isFirst)
            m_forced = pendingDeltas(m_graph, m_opened.pending);
        if (m_isFirst && m_at.checkpoint) {
            auto latest = m_services.store->get(m_at.thread, m_at.ns, std::nullopt);
            if (!latest)
                return storeError(latest.error());
            m_superseded = *latest && (**latest).ref.id != m_record->ref.id;
        }
    }
    for (const std::int32_t delta : m_graph.deltas)
        m_storedDeltas.push_back(m_opened.state.version(delta));
    return std::nullopt;
}

std::string UpdateStep::baseId()
{
    if (m_record)
        return m_record->ref.id.value;
    if (m_freshId.empty())
        m_freshId = m_ids.next(-2);
    return m_freshId;
}

Outcome<SnapshotConfig> UpdateStep::run(const std::vector<NamedUpdate>& updates)
{
    if (auto error = open())
        return *std::move(error);
    const StateUpdate& first = updates.front().update;
    const std::string asNode = first.asNode.value_or("");
    const char* alone = asNode == kEndNode && first.values.isNull()
        ? "Cannot apply multiple updates when clearing state"
        : asNode == kInputName ? "Cannot apply multiple updates when updating as input"
        : asNode == kCopyName  ? "Cannot copy checkpoint with multiple updates"
                               : nullptr;
    if (alone == nullptr)
        return updateAsNodes(updates);
    if (updates.size() > 1)
        return invalid(alone);
    if (asNode == kEndNode)
        return clearTasks();
    if (asNode == kInputName)
        return actAsInput(first.values);
    return copy(first.values);
}

// As the end: what is left to run is dropped, what has finished counts.
Outcome<SnapshotConfig> UpdateStep::clearTasks()
{
    ChannelSet updated(m_graph.channels.size());
    if (m_record) {
        if (auto error = applyNullWrites(m_opened, &m_versions, updated))
            return *std::move(error);
        giveFinishedWrites(m_opened);
        std::vector<AppliedTask> tasks;
        for (Task& task : m_opened.tasks)
            tasks.push_back({ task.path, task.node, task.triggered, &task.writes });
        ChannelSet more(m_graph.channels.size());
        if (auto error = applyWrites(m_opened.state, tasks, &m_versions, more))
            return *std::move(error);
        for (const std::int32_t channel : more.items())
            updated.add(channel);
    }
    return put("update", step() + 1, step(), updated.items());
}

Outcome<SnapshotConfig> UpdateStep::actAsInput(const Value& values)
{
    if (values.isNull())
        return invalid("Received no input writes for __start__");
    Writes writes{ { m_graph.startChannel, values, {} } };
    const auto space = parseUuid(baseId());
    if (auto error = storeOnBase(space ? uuidText(uuid5(*space, kInputName)) : kNullTaskId, "", writes))
        return *std::move(error);
    AppliedTask task{ {}, -1, Triggered::No, &writes };
    ChannelSet updated(m_graph.channels.size());
    if (auto error = applyWrites(m_opened.state, { &task, 1 }, &m_versions, updated))
        return *std::move(error);
    const std::int64_t next = m_record ? step() + 1 : -1;
    return put("input", next, next, updated.items());
}

Outcome<SnapshotConfig> UpdateStep::copy(const Value& values)
{
    if (!m_record)
        return invalid("Cannot copy a non-existent checkpoint");
    checkpoint::Checkpoint copied = m_record->checkpoint;
    copied.version = 4;
    copied.id = CheckpointId(m_ids.next(step()));
    copied.timestamp = isoTime(m_services.clock.now());
    copied.updatedChannels.reset();
    checkpoint::CheckpointMetadata metadata{ "fork", step() + 1, m_record->metadata.parents, {} };
    if (const Value* counters = m_record->metadata.extra.find("counters_since_delta_snapshot"))
        metadata.extra.set("counters_since_delta_snapshot", *counters);
    const checkpoint::CheckpointRef ref{ m_at.thread, m_at.ns, copied.id };
    if (auto stored = m_services.store->put(ref, m_record->parent, copied, metadata); !stored)
        return storeError(stored.error());
    if (values.isList() && !values.asList().empty())
        return updateCopy(copied.id, values.asList());
    return configOf(m_at.thread, m_at.ns, copied.id, m_record->metadata);
}

// [[values, node], …]: each update stands for the copy's task of that node, where it has one.
Outcome<SnapshotConfig> UpdateStep::updateCopy(const CheckpointId& copied, const ValueList& items)
{
    const TaskIds ids(copied, 4, m_at.ns, step() + 2);
    std::vector<std::pair<std::string, std::vector<NamedUpdate>>> byNode;
    for (const Value& item : items) {
        if (!item.isList() || item.asList().size() < 2)
            return invalid("Invalid update item when copying checkpoint");
        const std::string node = item[1].isString() ? item[1].asString() : std::string();
        auto group = std::ranges::find(byNode, node, &decltype(byNode)::value_type::first);
        if (group == byNode.end())
            group = byNode.insert(byNode.end(), { node, {} });
        std::optional<std::string> taskId;
        std::size_t place = group->second.size();
        for (const Task& task : m_opened.tasks)
            if (m_graph.node(task.node).name.value == node && place-- == 0) {
                taskId = ids.of(m_graph, task);
                break;
            }
        group->second.push_back(
            { { item[0], item[1].isString() ? std::optional(node) : std::nullopt }, std::move(taskId) });
    }
    std::vector<NamedUpdate> updates;
    for (auto& group : byNode)
        updates.insert(updates.end(), group.second.begin(), group.second.end());
    return UpdateStep(m_graph, m_services, m_ids, { m_at.thread, m_at.ns, copied }, false).run(updates);
}

// The node that wrote last, if it can be told.
Outcome<std::string> UpdateStep::inferNode() const
{
    const EngineError ambiguous = invalid("Ambiguous update, specify as_node");
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
            return invalid("as_node is required when applying multiple updates");
        if (!node) {
            auto inferred = inferNode();
            if (const EngineError* error = errorOf(inferred))
                return *error;
            node = std::get<std::string>(inferred);
        }
        if (!m_graph.findNode(*node))
            return invalid("Node " + *node + " does not exist");
        nodes.push_back(*node);
    }
    std::vector<std::pair<std::int32_t, std::string>> prepared;
    for (const Task& task : m_opened.tasks)
        prepared.emplace_back(task.node, task.id);
    std::deque<UpdateTask> tasks;
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
    return put("update", step() + 1, step() + 1, written);
}

std::optional<EngineError> UpdateStep::addTask(const NamedUpdate& update, const std::string& node,
                                               std::deque<UpdateTask>& tasks,
                                               std::vector<std::pair<std::int32_t, std::string>>& prepared)
{
    UpdateTask& task = tasks.emplace_back();
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
    const TaskEnd end = runWriters(scene, update.update.values, task.writes);
    if (end.kind == TaskEnd::Kind::Failed)
        return EngineError{ end.failure->type, end.failure->message };
    if (end.kind != TaskEnd::Kind::Done)
        return EngineError{ end.kind == TaskEnd::Kind::Command ? "ParentCommand" : "GraphInterrupt",
                            "a state update cannot reach beyond its graph" };
    return std::nullopt;
}

// So that history shows the update as the task's result, and channels stored as changes find it; on a
// checkpoint that the thread has moved past, its other children would find it too.
std::optional<EngineError> UpdateStep::storeOnBase(const std::string& taskId, const std::string& path,
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

Outcome<SnapshotConfig> UpdateStep::put(const char* source, std::int64_t step, std::int64_t idStep,
                                        const std::vector<std::int32_t>& updatedChannels)
{
    GraphState& state = m_opened.state;
    checkpoint::CheckpointMetadata metadata{ source, step, {}, {} };
    std::vector<std::int32_t> snapshots;
    if (m_record) {
        metadata.parents = m_record->metadata.parents;
        ValueMap counters;
        const Value* before = m_record->metadata.extra.find("counters_since_delta_snapshot");
        for (const std::int32_t delta : m_graph.deltas) {
            const Value& key = m_graph.channel(delta).key;
            const Value* old = before != nullptr ? before->find(key.asString()) : nullptr;
            const bool updated = std::ranges::find(updatedChannels, delta) != updatedChannels.end();
            const auto at = [old](std::size_t place) {
                return old != nullptr && (*old)[place].isInt() ? (*old)[place].asInt() : 0;
            };
            counters.set(key, Value::list({ Value(at(0) + (updated ? 1 : 0)), Value(at(1) + 1) }));
        }
        snapshots = deltasToSnapshot(state, counters);
        for (const std::int32_t forced : m_forced)
            if (std::ranges::find(snapshots, forced) == snapshots.end())
                snapshots.push_back(forced);
        resetCounters(m_graph, counters, snapshots);
        if (!counters.empty())
            metadata.extra.set("counters_since_delta_snapshot", Value(std::move(counters)));
    } else {
        std::ranges::copy_if(m_graph.deltas, std::back_inserter(snapshots),
                             [&state](std::int32_t delta) { return state.version(delta).exists(); });
    }
    bumpSnapshotVersions(state, snapshots, m_storedDeltas, m_versions);
    checkpoint::Checkpoint stored;
    stored.timestamp = isoTime(m_services.clock.now());
    stored.id = CheckpointId(m_ids.next(idStep));
    stored.channelValues = state.channelValues(snapshots);
    stored.channelVersions = state.channelVersions();
    stored.versionsSeen = state.versionsSeen();
    const checkpoint::CheckpointRef ref{ m_at.thread, m_at.ns, stored.id };
    const auto parent = m_record ? std::optional(m_record->ref.id) : m_at.checkpoint;
    if (auto done = m_services.store->put(ref, parent, stored, metadata); !done)
        return storeError(done.error());
    return configOf(m_at.thread, m_at.ns, stored.id,
                    m_record ? m_record->metadata : checkpoint::CheckpointMetadata());
}

} // namespace

Outcome<SnapshotConfig> StateWriter::update(const StateAddress& at,
                                            const std::vector<std::vector<StateUpdate>>& steps)
{
    if (m_services.store == nullptr)
        return EngineError{ "ValueError", "No checkpointer set" };
    if (steps.empty())
        return EngineError{ "ValueError", "No supersteps provided" };
    if (std::ranges::any_of(steps, [](const auto& updates) { return updates.empty(); }))
        return EngineError{ "ValueError", "No updates provided" };
    const AddressedGraph addressed = addressedGraph(m_graph, at.ns);
    if (addressed.graph == nullptr)
        return EngineError{ "ValueError", "Subgraph " + plainNamespace(at.ns) + " not found" };
    StateAddress current{ at.thread, addressed.ns, at.checkpoint };
    SnapshotConfig last;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        std::vector<NamedUpdate> updates;
        for (const StateUpdate& update : steps[i])
            updates.push_back({ update, std::nullopt });
        auto done = UpdateStep(*addressed.graph, m_services, m_ids, current, i == 0).run(updates);
        if (const EngineError* error = errorOf(done))
            return *error;
        last = std::get<SnapshotConfig>(std::move(done));
        current.checkpoint = last.checkpoint;
    }
    return last;
}

} // namespace sg::engine
