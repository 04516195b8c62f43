#include "core/engine/loop/delta_saving.h"

#include "core/base/uuid.h"
#include "core/checkpoint/serde/checkpoint_codec.h"
#include "core/engine/state/delta_snapshots.h"

#include <algorithm>
#include <cstdio>

namespace sg::engine {
namespace {

// Makes a task id that starts with the superstep, so that ordering by id is ordering by time.
std::string exitTaskId(std::int64_t step, const std::string& taskId)
{
    char first[16];
    std::snprintf(first, sizeof first, "%08lld", static_cast<long long>(step));
    std::string id = first + taskId.substr(8);
    return id == kNullTaskId ? std::string(first) + "-0000-0000-0000-000000000001" : id;
}

// Makes a task id that sorts after every real one, in the order of supersteps.
std::string lateExitTaskId(std::int64_t step, const std::string& taskId)
{
    char middle[16];
    std::snprintf(middle, sizeof middle, "%04llx-%04llx", static_cast<unsigned long long>(step >> 16),
                  static_cast<unsigned long long>(step & 0xffff));
    return std::string("ffffffff-") + middle + taskId.substr(18);
}

std::string latePath(std::int64_t step, const std::string& path)
{
    char digits[24];
    std::snprintf(digits, sizeof digits, "%010lld", static_cast<long long>(step));
    return std::string("~~") + digits + path;
}

} // namespace

DeltaSaving::DeltaSaving(LoopState& loop)
    : m_loop(loop)
{
}

void DeltaSaving::noteStored()
{
    m_stored.clear();
    for (const std::int32_t delta : m_loop.graph.deltas)
        m_stored.push_back(m_loop.channels.version(delta));
}

void DeltaSaving::takePending(bool givesBack)
{
    const std::vector<Pending>& pending = m_loop.tasks.pending;
    for (const Pending& each : pending)
        if (!isNull(each) && isDelta(m_loop.graph, each.write))
            m_storedWrites.emplace_back(each.taskId, each.write.channel);
    if (givesBack)
        std::ranges::copy_if(pending, std::back_inserter(m_resumeLoaded),
                             [](const Pending& each) { return !isNull(each); });
    else
        force(pendingDeltas(m_loop.graph, pending));
}

void DeltaSaving::takeCommand(const Writes& writes)
{
    if (m_loop.savesAtExit)
        std::ranges::copy_if(writes, std::back_inserter(m_exitCommandWrites),
                             [this](const Write& write) { return isDelta(m_loop.graph, write); });
}

void DeltaSaving::force(const std::vector<std::int32_t>& channels)
{
    for (const std::int32_t channel : channels)
        force(channel);
}

void DeltaSaving::force(std::int32_t channel)
{
    if (std::ranges::find(m_forced, channel) == m_forced.end())
        m_forced.push_back(channel);
}

void DeltaSaving::beforeFold()
{
    if (m_loop.graph.deltas.empty())
        return;
    m_loop.tasks.each([this](const Task& task) {
        for (const Write& write : task.writes)
            if (isDelta(m_loop.graph, write) && checkpoint::asOverwrite(write.value))
                force(write.channel);
    });
    std::erase_if(m_resumeLoaded, [this](const Pending& each) {
        return std::ranges::find(m_reappliedTasks, each.taskId) != m_reappliedTasks.end();
    });
    force(pendingDeltas(m_loop.graph, m_resumeLoaded));
    m_resumeLoaded.clear();
}

void DeltaSaving::afterFold()
{
    if (!m_loop.savesAtExit || m_loop.graph.deltas.empty())
        return;
    const bool first = !m_exitFirstStep;
    const std::int64_t step = m_loop.limits.step;
    if (first) {
        m_exitFirstStep = step;
        for (const Write& write : m_exitCommandWrites)
            m_exitWrites.push_back({ step, kNullTaskId, "", write });
    }
    const auto keep = [&](const std::string& taskId, const std::string& path, const Write& write) {
        const auto stored = std::pair(taskId, write.channel);
        if (!isDelta(m_loop.graph, write)
            || (first
                && (taskId == kNullTaskId
                    || std::ranges::find(m_storedWrites, stored) != m_storedWrites.end())))
            return;
        m_exitWrites.push_back({ step, taskId, path, write });
    };
    const auto pathOf = [this](const std::string& id) {
        std::string path;
        m_loop.tasks.each([&](Task& task) {
            if (m_loop.taskId(task) == id)
                path = task.path.text(m_loop.graph);
        });
        return path;
    };
    for (const Pending& each : m_loop.tasks.pending)
        keep(each.taskId, pathOf(each.taskId), each.write);
    m_loop.tasks.each([&](Task& task) {
        if (task.recorded)
            for (const Write& write : task.writes)
                keep(m_loop.taskId(task), task.path.text(m_loop.graph), write);
    });
}

void DeltaSaving::countStep(bool tellsUpdated)
{
    ValueMap counters;
    for (const std::int32_t delta : m_loop.graph.deltas) {
        const Value& key = m_loop.graph.channel(delta).key;
        const Value* before = m_counters.find(key);
        const std::int64_t updates = before != nullptr && (*before)[0].isInt() ? (*before)[0].asInt() : 0;
        const std::int64_t steps = before != nullptr && (*before)[1].isInt() ? (*before)[1].asInt() : 0;
        const bool updated = tellsUpdated && m_loop.updatedKnown && m_loop.updated.contains(delta);
        counters.set(key, Value::list({ Value(updates + (updated ? 1 : 0)), Value(steps + 1) }));
    }
    m_counters = std::move(counters);
}

std::vector<std::int32_t> DeltaSaving::takeSnapshots()
{
    if (m_loop.graph.deltas.empty())
        return {};
    auto snapshots = deltasToSnapshot(m_loop.channels, m_counters);
    for (const std::int32_t forced : m_forced)
        if (std::ranges::find(snapshots, forced) == snapshots.end())
            snapshots.push_back(forced);
    bumpSnapshotVersions(m_loop.channels, snapshots, m_stored, m_loop.versions);
    resetCounters(m_loop.graph, m_counters, snapshots);
    m_forced.clear();
    return snapshots;
}

void DeltaSaving::tellCounters(ValueMap& metadata) const
{
    if (!m_counters.empty())
        metadata.set("counters_since_delta_snapshot", Value(m_counters));
}

void DeltaSaving::saveAtExit()
{
    if (m_exitWrites.empty())
        return;
    if (m_loop.head.hasStoredParent && !m_loop.head.loadedLatest)
        for (const ExitWrite& each : m_exitWrites)
            force(each.write.channel);
    const auto snapshots = deltasToSnapshot(m_loop.channels, m_counters);
    std::erase_if(m_exitWrites, [&](const ExitWrite& each) {
        return std::ranges::find(snapshots, each.write.channel) != snapshots.end()
            || std::ranges::find(m_forced, each.write.channel) != m_forced.end();
    });
    if (m_exitWrites.empty())
        return;
    if (!m_loop.head.hasStoredParent)
        storeFirstCheckpoint();
    std::vector<std::pair<std::pair<std::string, std::string>, Writes>> groups; // task id and path
    for (const ExitWrite& each : m_exitWrites) {
        const bool early = each.taskId == kNullTaskId || each.step == m_exitFirstStep;
        const std::pair key{ early ? exitTaskId(each.step, each.taskId)
                                   : lateExitTaskId(each.step, each.taskId),
                             each.taskId == kNullTaskId ? std::string()
                                 : early                ? each.path
                                                        : latePath(each.step, each.path) };
        auto group = std::ranges::find(groups, key, &decltype(groups)::value_type::first);
        if (group == groups.end())
            group = groups.insert(groups.end(), { key, {} });
        group->second.push_back(each.write);
    }
    for (const auto& [key, writes] : groups)
        m_loop.run.saves->addWrites(m_loop.refOf(m_loop.head.initialId),
                                    storedWrites(m_loop.graph, key.first, key.second, writes, true));
}

void DeltaSaving::storeFirstCheckpoint()
{
    Head& head = m_loop.head;
    checkpoint::Checkpoint first;
    first.id = head.initialId;
    first.timestamp = isoTime(m_loop.run.services.clock.now());
    checkpoint::CheckpointMetadata metadata;
    metadata.step = -2;
    metadata.extra = m_loop.run.storedMetadata;
    m_loop.run.saves->addCheckpoint(
        std::make_shared<const checkpoint::CheckpointRef>(m_loop.refOf(head.initialId)), std::nullopt,
        { checkpoint::encodeCheckpoint(first), checkpoint::encodeMetadata(metadata) });
    head.saved = head.initialId;
}

} // namespace sg::engine
