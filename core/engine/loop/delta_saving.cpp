#include "core/base/uuid.h"
#include "core/checkpoint/serde/checkpoint_codec.h"
#include "core/engine/loop/run_loop.h"
#include "core/engine/state/delta_snapshots.h"

#include <algorithm>
#include <cstdio>

// Channels stored as changes: when a whole value must stand in a checkpoint, and where a run with durability
// exit keeps the writes that led to its one checkpoint.
namespace sg::engine {
namespace {

// A task id of its own, with the superstep in front, so that ordering by id is ordering by time.
std::string exitTaskId(std::int64_t step, const std::string& taskId)
{
    char first[16];
    std::snprintf(first, sizeof first, "%08lld", static_cast<long long>(step));
    std::string id = first + taskId.substr(8);
    return id == kNullTaskId ? std::string(first) + "-0000-0000-0000-000000000001" : id;
}

// Sorts after every real task id, in step order.
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

void RunLoop::forceSnapshots(const std::vector<std::int32_t>& channels)
{
    for (const std::int32_t channel : channels)
        if (std::ranges::find(m_forcedSnapshots, channel) == m_forcedSnapshots.end())
            m_forcedSnapshots.push_back(channel);
}

// Before a superstep's writes are folded: which of them snapshots must follow.
void RunLoop::forceWrittenDeltas()
{
    if (m_graph.deltas.empty())
        return;
    eachTask([this](const Task& task) {
        for (const Write& write : task.writes)
            if (isDelta(m_graph, write) && checkpoint::asOverwrite(write.value))
                forceSnapshots({ write.channel });
    });
    std::erase_if(m_resumeLoaded, [this](const Pending& each) {
        return std::ranges::find(m_reappliedTasks, each.taskId) != m_reappliedTasks.end();
    });
    forceSnapshots(pendingDeltas(m_graph, m_resumeLoaded));
    m_resumeLoaded.clear();
}

// Once the superstep's writes are folded: those of a failed fold are not stored at the exit.
void RunLoop::captureExitDeltas()
{
    if (!m_exitMode || m_graph.deltas.empty())
        return;
    const bool first = !m_exitFirstStep;
    const std::int64_t step = m_limits.step;
    if (first) {
        m_exitFirstStep = step;
        for (const Write& write : m_exitCommandWrites)
            m_exitDeltas.push_back({ step, kNullTaskId, "", write });
    }
    const auto keep = [&](const std::string& taskId, const std::string& path, const Write& write) {
        const auto stored = std::pair(taskId, write.channel);
        if (!isDelta(m_graph, write)
            || (first
                && (taskId == kNullTaskId
                    || std::ranges::find(m_storedDeltaWrites, stored) != m_storedDeltaWrites.end())))
            return;
        m_exitDeltas.push_back({ step, taskId, path, write });
    };
    const auto pathOf = [this](const std::string& id) {
        std::string path;
        eachTask([&](Task& task) {
            if (taskId(task) == id)
                path = task.path.text(m_graph);
        });
        return path;
    };
    for (const Pending& each : m_pending)
        keep(each.taskId, pathOf(each.taskId), each.write);
    eachTask([&](Task& task) {
        if (task.recorded)
            for (const Write& write : task.writes)
                keep(taskId(task), task.path.text(m_graph), write);
    });
}

std::vector<std::int32_t> RunLoop::takeSnapshots(ValueMap& counters)
{
    if (m_graph.deltas.empty())
        return {};
    auto snapshots = deltasToSnapshot(m_state, counters);
    for (const std::int32_t forced : m_forcedSnapshots)
        if (std::ranges::find(snapshots, forced) == snapshots.end())
            snapshots.push_back(forced);
    bumpSnapshotVersions(m_state, snapshots, m_storedDeltas, m_versions);
    resetCounters(m_graph, counters, snapshots);
    m_forcedSnapshots.clear();
    return snapshots;
}

// Stored on the checkpoint that the run started from, or on an empty one made for it.
void RunLoop::saveExitDeltas()
{
    if (m_exitDeltas.empty())
        return;
    if (m_hasStoredParent && !m_loadedLatest)
        for (const ExitDelta& each : m_exitDeltas)
            forceSnapshots({ each.write.channel });
    const auto snapshots = deltasToSnapshot(m_state, m_deltaCounters);
    const auto isSnapshot = [&](std::int32_t channel) {
        return std::ranges::find(snapshots, channel) != snapshots.end()
            || std::ranges::find(m_forcedSnapshots, channel) != m_forcedSnapshots.end();
    };
    std::erase_if(m_exitDeltas, [&](const ExitDelta& each) { return isSnapshot(each.write.channel); });
    if (m_exitDeltas.empty())
        return;
    if (!m_hasStoredParent) {
        checkpoint::Checkpoint first;
        first.id = m_initialId;
        first.timestamp = isoTime(m_run.services.clock.now());
        checkpoint::CheckpointMetadata metadata;
        metadata.step = -2;
        metadata.extra = m_run.storedMetadata;
        m_run.saves->addCheckpoint(
            std::make_shared<const checkpoint::CheckpointRef>(refOf(m_initialId)), std::nullopt,
            { checkpoint::encodeCheckpoint(first), checkpoint::encodeMetadata(metadata) });
        m_saved = m_initialId;
    }
    std::vector<std::pair<std::pair<std::string, std::string>, Writes>> groups; // task id and path
    for (const ExitDelta& each : m_exitDeltas) {
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
        m_run.saves->addWrites(refOf(m_initialId),
                               storedWrites(m_graph, key.first, key.second, writes, true));
}

} // namespace sg::engine
