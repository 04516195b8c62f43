#include "core/checkpoint/serde/checkpoint_codec.h"
#include "core/engine/compile/node_cache.h"
#include "core/engine/loop/run_loop.h"

#include <algorithm>
#include <utility>

// What a run leaves in the store: each task's writes when it is done, a checkpoint after each superstep; with
// durability exit only what the end needs.
namespace sg::engine {
namespace {

// Special writes alone: the newest of each kind, at the place of the first.
Writes deduplicated(const Writes& writes)
{
    Writes out;
    for (const Write& write : writes) {
        const auto same = std::ranges::find(out, write.channel, &Write::channel);
        if (same == out.end())
            out.push_back(write);
        else
            *same = write;
    }
    return out;
}

Value sendsWithoutUntracked(const CompiledGraph& graph, const Value& sends)
{
    ValueList kept;
    for (const Value& send : sends.asList())
        kept.push_back(withoutUntracked(graph, send));
    return Value(std::move(kept));
}

} // namespace

const CheckpointId& RunLoop::checkpoint()
{
    if (m_id.empty())
        m_id = CheckpointId(m_run.ids.next(m_idStep));
    return m_id;
}

const std::string& RunLoop::taskId(Task& task)
{
    if (task.id.empty()) {
        if (!m_taskIds)
            m_taskIds.emplace(checkpoint(), m_version, m_place.ns, m_limits.step);
        task.id = m_taskIds->of(m_graph, task);
    }
    return task.id;
}

checkpoint::CheckpointRef RunLoop::refOf(const CheckpointId& id) const
{
    return { m_run.options.thread, m_place.ns, id };
}

const std::shared_ptr<const checkpoint::CheckpointRef>& RunLoop::sharedRef()
{
    if (!m_ref || m_ref->id != checkpoint())
        m_ref = std::make_shared<const checkpoint::CheckpointRef>(refOf(checkpoint()));
    return m_ref;
}

Ended RunLoop::storeFailed(const Error& error) const
{
    LoopEnd end;
    end.kind = LoopEnd::Kind::Failed;
    end.failure = { "CheckpointError", error.message, {}, false, {} };
    return end;
}

Ended RunLoop::flush()
{
    if (m_run.saves == nullptr)
        return std::nullopt;
    return stored(m_run.saves->flush());
}

Ended RunLoop::pushSaves()
{
    return m_run.saves != nullptr ? stored(m_run.saves->push()) : std::nullopt;
}

Ended RunLoop::stored(const Result<void>& done) const
{
    return done ? std::nullopt : Ended(storeFailed(done.error()));
}

void RunLoop::recordWrites(Task& task, bool cached)
{
    const Writes& made = task.asked ? *task.asked : task.writes;
    if (made.empty())
        return;
    task.recorded = true;
    const bool fixed = allFixedPlace(made);
    const Writes special = fixed ? deduplicated(made) : Writes();
    const Writes& writes = fixed ? special : made;
    if (m_single)
        m_single->settle();
    if (!m_pending.empty())
        std::erase_if(m_pending, [&](const Pending& each) { return each.taskId == taskId(task); });
    if (m_place.stores && !m_exitMode)
        m_run.saves->addTask(sharedRef(), newWrites(m_graph, taskId(task), task.path.text(m_graph), writes));
    for (const Write& write : writes)
        if (write.channel == kInterruptWrite && task.node != 0 && write.value.isList())
            for (Value& each : plainInterrupts(write.value.asList()))
                m_raised.push_back({ std::move(each), m_graph.node(task.node).name, TaskId(taskId(task)) });
    if (writes.front().channel == kInterruptWrite && task.node != 0)
        noteValues();
    if (m_run.publisher.isHeard()) {
        taskId(task);
        m_stream.taskWrote(
            task, writes, cached, m_outputKeys, [this] { return m_state.values(m_outputKeys); },
            m_limits.step);
    }
    const bool cacheable = std::ranges::none_of(writes, [](const Write& write) {
        return write.channel == kInterruptWrite || write.channel == kErrorWrite;
    });
    if (!cached && !task.cacheKey.empty() && cacheable) {
        const auto& ttl = m_graph.node(task.node).cache->ttl;
        const WallTime now = m_run.services.clock.now();
        m_graph.cache->put(
            task.cacheKey, writes,
            ttl ? std::optional(
                now + std::chrono::duration_cast<WallTime::duration>(std::chrono::duration<double>(*ttl)))
                : std::nullopt);
    }
}

// Writes of the null task gather on the checkpoint: what stands there already is stored again at its old
// place, and special ones go last, because they would move the others.
void RunLoop::recordNullWrites(Writes writes)
{
    m_nullWritesRecorded = true;
    if (allFixedPlace(writes))
        writes = deduplicated(writes);
    std::erase_if(m_pending, [](const Pending& each) { return isNull(each) && hasFixedPlace(each.write); });
    std::stable_partition(writes.begin(), writes.end(),
                          [](const Write& write) { return !hasFixedPlace(write); });
    for (Write& write : writes)
        m_pending.push_back({ kNullTaskId, std::move(write) });
    if (!m_place.stores || m_exitMode)
        return;
    Writes all;
    for (const Pending& each : m_pending)
        if (isNull(each))
            all.push_back(each.write);
    m_run.saves->addWrites(refOf(checkpoint()), storedWrites(m_graph, kNullTaskId, "", all));
}

void RunLoop::saveCheckpoint(const char* source, bool tellsUpdated)
{
    const bool stores = m_place.stores && !m_exitMode;
    ValueMap counters;
    for (const std::int32_t delta : m_graph.deltas) {
        const Value& key = m_graph.channel(delta).key;
        const Value* before = m_deltaCounters.find(key);
        const std::int64_t updates = before != nullptr && (*before)[0].isInt() ? (*before)[0].asInt() : 0;
        const std::int64_t steps = before != nullptr && (*before)[1].isInt() ? (*before)[1].asInt() : 0;
        const bool updated = tellsUpdated && m_updatedKnown && m_updated.contains(delta);
        counters.set(key, Value::list({ Value(updates + (updated ? 1 : 0)), Value(steps + 1) }));
    }
    m_metadata.source = source;
    m_metadata.step = m_limits.step;
    m_metadata.parents = m_place.ancestors;
    m_metadata.extra = {};
    const auto snapshots = stores ? takeSnapshots(counters) : std::vector<std::int32_t>();
    m_deltaCounters = std::move(counters);
    if (!m_deltaCounters.empty())
        m_metadata.extra.set("counters_since_delta_snapshot", Value(m_deltaCounters));
    m_id = {};
    m_idStep = m_limits.step;
    m_version = 4;
    m_isNew = true;
    m_taskIds.reset();
    if (m_run.services.companion != nullptr && m_place.stores)
        m_beside = m_run.services.companion->checkpointDue(refOf(checkpoint()));
    if (stores)
        storeCheckpoint(snapshots, tellsUpdated);
    ++m_limits.step;
}

void RunLoop::storeCheckpoint(const std::vector<std::int32_t>& snapshots, bool tellsUpdated)
{
    const std::string timestamp = isoTime(m_run.services.clock.now());
    std::vector<std::string_view> updated;
    const bool knowsUpdated = tellsUpdated && m_updatedKnown;
    if (knowsUpdated)
        for (const std::int32_t channel : m_updated.items())
            updated.push_back(m_graph.channel(channel).name());
    std::ranges::sort(updated);
    m_parent = std::exchange(m_saved, std::optional(checkpoint()));
    for (std::size_t i = 0; i < m_graph.deltas.size(); ++i)
        m_storedDeltas[i] = m_state.version(m_graph.deltas[i]);
    m_state.channelValues(snapshots, m_values);
    if (m_graph.hasUntracked)
        for (auto& [name, value] : m_values)
            if (name.asString() == kTasksName)
                value = sendsWithoutUntracked(m_graph, value);
    m_run.saves->addBeside(std::exchange(m_beside, {}));
    addEncoded(timestamp, knowsUpdated ? &updated : nullptr);
    m_values.clear(); // so that channels are the only owners of their values
    m_unannounced = m_run.publisher.isHeard();
    m_announceSource = m_metadata.source;
}

void RunLoop::addEncoded(const std::string& timestamp, const std::vector<std::string_view>* updated)
{
    m_versionsText.clear();
    m_seenText.clear();
    m_state.appendChannelVersions(m_versionsText);
    m_state.appendVersionsSeen(m_seenText);
    checkpoint::CheckpointParts parts{ timestamp, m_saved->value, m_values, m_versionsText, m_seenText, {} };
    if (updated != nullptr)
        parts.updatedChannels = *updated;
    checkpoint::EncodedCheckpoint stored;
    stored.blob = checkpoint::encodeCheckpoint(parts, m_blobSize + m_blobSize / 8 + 256);
    m_blobSize = stored.blob.size(); // states grow little by little
    stored.metadata = m_run.storedMetadata.empty() ? checkpoint::encodeMetadata(m_metadata)
                                                   : checkpoint::encodeMetadata(metadataOfCaller());
    m_run.saves->addCheckpoint(sharedRef(), m_parent, std::move(stored));
}

checkpoint::CheckpointMetadata RunLoop::metadataOfCaller() const
{
    checkpoint::CheckpointMetadata metadata = m_metadata;
    for (const auto& [key, value] : m_run.storedMetadata)
        if (!metadata.extra.contains(key.asString()) && key.asString() != "source" && key.asString() != "step"
            && key.asString() != "parents")
            metadata.extra.set(key, value);
    return metadata;
}

void RunLoop::saveCompanionAtEnd(const LoopEnd& end)
{
    Companion* companion = m_run.services.companion;
    if (companion != nullptr && !m_place.nested && m_place.stores && m_saved
        && end.kind != LoopEnd::Kind::Done)
        m_run.saves->addBeside(companion->superstepLeft());
}

void RunLoop::saveAtExit()
{
    if (!m_graph.deltas.empty())
        saveExitDeltas();
    if (m_isNew) {
        const auto snapshots = takeSnapshots(m_deltaCounters);
        m_metadata.extra.erase("counters_since_delta_snapshot");
        if (!m_deltaCounters.empty())
            m_metadata.extra.set("counters_since_delta_snapshot", Value(m_deltaCounters));
        storeCheckpoint(snapshots, true);
        announceCheckpoint();
    }
    saveExitPending();
}

void RunLoop::saveExitPending()
{
    const auto save = [this](const std::string& task, const std::string& path, const Writes& writes) {
        if (!writes.empty())
            m_run.saves->addWrites(refOf(checkpoint()), storedWrites(m_graph, task, path, writes, true));
    };
    if (m_nullWritesRecorded) {
        Writes writes;
        const bool answerTaken = m_single && m_single->isDropped();
        for (const Pending& each : m_pending)
            if (isNull(each) && !(answerTaken && each.write.channel == kResumeWrite))
                writes.push_back(each.write);
        save(kNullTaskId, "", writes);
    }
    eachTask([&](Task& task) {
        if (!task.recorded)
            return;
        const Writes& made = task.asked ? *task.asked : task.writes;
        save(taskId(task), task.path.text(m_graph), allFixedPlace(made) ? deduplicated(made) : made);
    });
}

} // namespace sg::engine
