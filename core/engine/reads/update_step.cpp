#include "core/engine/reads/update_step.h"

#include "core/base/uuid.h"
#include "core/engine/state/delta_snapshots.h"
#include "core/engine/state/migrate.h"
#include "core/engine/steps/task_ids.h"

#include <algorithm>

namespace sg::engine {

Failure invalidUpdate(std::string message)
{
    return { "InvalidUpdateError", std::move(message) };
}

Failure storeError(const Error& error)
{
    return { "CheckpointError", error.message };
}

std::optional<Failure> UpdateStep::open()
{
    auto found = m_services.store->get(m_at.thread, m_at.ns, m_at.checkpoint);
    if (!found)
        return storeError(found.error());
    m_record = *std::move(found);
    if (m_record) {
        migrateCheckpoint(m_record->checkpoint, m_graph);
        auto opened = openState(m_graph, *m_record, m_services);
        if (const Failure* error = errorOf(opened))
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
        return invalidUpdate(alone);
    if (asNode == kEndNode)
        return clearTasks();
    if (asNode == kInputName)
        return actAsInput(first.values);
    return copy(first.values);
}

// Acts as the end of the graph: tasks that have finished count, the others are dropped.
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
    return put(checkpoint::Source::Update, step() + 1, step(), updated.items());
}

Outcome<SnapshotConfig> UpdateStep::actAsInput(const Value& values)
{
    if (values.isNull())
        return invalidUpdate("Received no input writes for __start__");
    Writes writes{ { m_graph.startChannel, values, {} } };
    const auto space = parseUuid(baseId());
    if (auto error = storeOnBase(space ? uuidText(uuid5(*space, kInputName)) : kNullTaskId, "", writes))
        return *std::move(error);
    AppliedTask task{ {}, -1, Triggered::No, &writes };
    ChannelSet updated(m_graph.channels.size());
    if (auto error = applyWrites(m_opened.state, { &task, 1 }, &m_versions, updated))
        return *std::move(error);
    const std::int64_t next = m_record ? step() + 1 : -1;
    return put(checkpoint::Source::Input, next, next, updated.items());
}

Outcome<SnapshotConfig> UpdateStep::copy(const Value& values)
{
    if (!m_record)
        return invalidUpdate("Cannot copy a non-existent checkpoint");
    checkpoint::Checkpoint copied = m_record->checkpoint;
    copied.version = 4;
    copied.id = CheckpointId(m_ids.next(step()));
    copied.timestamp = isoTime(m_services.clock.now());
    copied.updatedChannels.reset();
    checkpoint::CheckpointMetadata metadata{
        checkpoint::Source::Fork, step() + 1, m_record->metadata.parents, {}
    };
    if (const Value* counters = m_record->metadata.extra.find("counters_since_delta_snapshot"))
        metadata.extra.set("counters_since_delta_snapshot", *counters);
    const checkpoint::CheckpointRef ref{ m_at.thread, m_at.ns, copied.id };
    if (auto stored = m_services.store->put(ref, m_record->parent, copied, metadata); !stored)
        return storeError(stored.error());
    if (values.isList() && !values.asList().empty())
        return updateCopy(copied.id, values.asList());
    return configOf(m_at.thread, m_at.ns, copied.id, m_record->metadata);
}

// Reads [[values, node], …]: each update replaces the copied checkpoint's task of that node, if it has one.
Outcome<SnapshotConfig> UpdateStep::updateCopy(const CheckpointId& copied, const ValueList& items)
{
    const TaskIds ids(copied, 4, m_at.ns, step() + 2);
    std::vector<std::pair<std::string, std::vector<NamedUpdate>>> byNode;
    for (const Value& item : items) {
        if (!item.isList() || item.asList().size() < 2)
            return invalidUpdate("Invalid update item when copying checkpoint");
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

Outcome<SnapshotConfig> UpdateStep::put(checkpoint::Source source, std::int64_t step, std::int64_t idStep,
                                        const std::vector<std::int32_t>& updatedChannels)
{
    GraphState& state = m_opened.state;
    checkpoint::CheckpointMetadata metadata{ .source = source, .step = step };
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

} // namespace sg::engine
