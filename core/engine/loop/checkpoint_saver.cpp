#include "core/engine/loop/checkpoint_saver.h"

#include "core/checkpoint/serde/checkpoint_codec.h"

#include <algorithm>
#include <utility>

namespace sg::engine {
namespace {

Value sendsWithoutUntracked(const CompiledGraph& graph, const Value& sends)
{
    ValueList kept;
    for (const Value& send : sends.asList())
        kept.push_back(withoutUntracked(graph, send));
    return Value(std::move(kept));
}

} // namespace

CheckpointSaver::CheckpointSaver(LoopState& loop, DeltaSaving& deltas, LoopOutput& output)
    : m_loop(loop)
    , m_deltas(deltas)
    , m_output(output)
{
}

void CheckpointSaver::saveTask(Task& task, const Writes& writes)
{
    if (m_loop.place.stores && !m_loop.savesAtExit)
        m_loop.run.saves->addTask(
            m_loop.sharedRef(),
            newWrites(m_loop.graph, m_loop.taskId(task), task.path.text(m_loop.graph), writes));
}

void CheckpointSaver::taskDone(Task& task)
{
    Companion* companion = m_loop.run.services.companion;
    if (companion != nullptr && m_loop.place.stores && !m_loop.savesAtExit)
        m_loop.run.saves->addBeside(companion->taskDone(TaskId(m_loop.taskId(task))));
}

// The null task's writes gather on the checkpoint: those that are there already are stored again at their old
// places, and special ones go last, because they would move the others.
void CheckpointSaver::recordNullWrites(Writes writes)
{
    std::vector<Pending>& pending = m_loop.tasks.pending;
    m_nullWritesRecorded = true;
    if (allFixedPlace(writes))
        writes = deduplicated(writes);
    std::erase_if(pending, [](const Pending& each) { return isNull(each) && hasFixedPlace(each.write); });
    std::stable_partition(writes.begin(), writes.end(),
                          [](const Write& write) { return !hasFixedPlace(write); });
    for (Write& write : writes)
        pending.push_back({ kNullTaskId, std::move(write) });
    if (!m_loop.place.stores || m_loop.savesAtExit)
        return;
    Writes all;
    for (const Pending& each : pending)
        if (isNull(each))
            all.push_back(each.write);
    m_loop.run.saves->addWrites(m_loop.refOf(m_loop.checkpoint()),
                                storedWrites(m_loop.graph, kNullTaskId, "", all));
}

void CheckpointSaver::save(checkpoint::Source source, bool tellsUpdated)
{
    const bool stores = m_loop.place.stores && !m_loop.savesAtExit;
    Head& head = m_loop.head;
    m_deltas.countStep(tellsUpdated);
    const auto snapshots = stores ? m_deltas.takeSnapshots() : std::vector<std::int32_t>();
    head.metadata.source = source;
    head.metadata.step = m_loop.limits.step;
    head.metadata.parents = m_loop.place.ancestors;
    head.metadata.extra = {};
    m_deltas.tellCounters(head.metadata.extra);
    head.id = {};
    head.idStep = m_loop.limits.step;
    head.version = 4;
    head.isNew = true;
    m_loop.tasks.ids.reset();
    if (m_loop.run.services.companion != nullptr && m_loop.place.stores)
        m_beside = m_loop.run.services.companion->checkpointDue(m_loop.refOf(m_loop.checkpoint()));
    if (stores)
        store(snapshots, tellsUpdated);
    ++m_loop.limits.step;
}

void CheckpointSaver::store(const std::vector<std::int32_t>& snapshots, bool tellsUpdated)
{
    const std::string timestamp = isoTime(m_loop.run.services.clock.now());
    std::vector<std::string_view> updated;
    const bool knowsUpdated = tellsUpdated && m_loop.updatedKnown;
    if (knowsUpdated)
        for (const std::int32_t channel : m_loop.updated.items())
            updated.push_back(m_loop.graph.channel(channel).name());
    std::ranges::sort(updated);
    m_loop.head.parent = std::exchange(m_loop.head.saved, std::optional(m_loop.checkpoint()));
    m_deltas.noteStored();
    m_loop.channels.channelValues(snapshots, m_values);
    if (m_loop.graph.hasUntracked)
        for (auto& [name, value] : m_values)
            if (name.asString() == kTasksName)
                value = sendsWithoutUntracked(m_loop.graph, value);
    m_loop.run.saves->addBeside(std::exchange(m_beside, {}));
    addEncoded(timestamp, knowsUpdated ? &updated : nullptr);
    m_values.clear(); // so that channels are the only owners of their values
    m_output.checkpointStored();
}

void CheckpointSaver::addEncoded(const std::string& timestamp, const std::vector<std::string_view>* updated)
{
    m_versionsText.clear();
    m_seenText.clear();
    m_loop.channels.appendChannelVersions(m_versionsText);
    m_loop.channels.appendVersionsSeen(m_seenText);
    checkpoint::CheckpointParts parts{ timestamp,  m_loop.head.saved->value,
                                       m_values,   m_versionsText,
                                       m_seenText, {} };
    if (updated != nullptr)
        parts.updatedChannels = *updated;
    checkpoint::EncodedCheckpoint stored;
    stored.blob = checkpoint::encodeCheckpoint(parts, m_blobSize + m_blobSize / 8 + 256);
    m_blobSize = stored.blob.size(); // states grow little by little
    stored.metadata = m_loop.run.storedMetadata.empty() ? checkpoint::encodeMetadata(m_loop.head.metadata)
                                                        : checkpoint::encodeMetadata(metadataOfCaller());
    m_loop.run.saves->addCheckpoint(m_loop.sharedRef(), m_loop.head.parent, std::move(stored));
}

checkpoint::CheckpointMetadata CheckpointSaver::metadataOfCaller() const
{
    checkpoint::CheckpointMetadata metadata = m_loop.head.metadata;
    for (const auto& [key, value] : m_loop.run.storedMetadata)
        if (!metadata.extra.contains(key.asString()) && key.asString() != "source" && key.asString() != "step"
            && key.asString() != "parents")
            metadata.extra.set(key, value);
    return metadata;
}

void CheckpointSaver::saveCompanionAtEnd(const LoopEnd& end)
{
    Companion* companion = m_loop.run.services.companion;
    if (companion != nullptr && !m_loop.place.nested && m_loop.place.stores && m_loop.head.saved
        && end.kind != LoopEnd::Kind::Done)
        m_loop.run.saves->addBeside(companion->superstepLeft());
}

void CheckpointSaver::saveAtExit(bool answerTaken)
{
    m_deltas.saveAtExit();
    if (m_loop.head.isNew) {
        const auto snapshots = m_deltas.takeSnapshots();
        m_loop.head.metadata.extra.erase("counters_since_delta_snapshot");
        m_deltas.tellCounters(m_loop.head.metadata.extra);
        store(snapshots, true);
        m_output.announceCheckpoint();
    }
    saveExitPending(answerTaken);
}

void CheckpointSaver::saveExitPending(bool answerTaken)
{
    const auto save = [this](const std::string& task, const std::string& path, const Writes& writes) {
        if (!writes.empty())
            m_loop.run.saves->addWrites(m_loop.refOf(m_loop.checkpoint()),
                                        storedWrites(m_loop.graph, task, path, writes, true));
    };
    if (m_nullWritesRecorded) {
        Writes writes;
        for (const Pending& each : m_loop.tasks.pending)
            if (isNull(each) && !(answerTaken && each.write.channel == kResumeWrite))
                writes.push_back(each.write);
        save(kNullTaskId, "", writes);
    }
    m_loop.tasks.each([&](Task& task) {
        if (!task.recorded)
            return;
        const Writes& made = task.asked ? *task.asked : task.writes;
        save(m_loop.taskId(task), task.path.text(m_loop.graph),
             allFixedPlace(made) ? deduplicated(made) : made);
    });
}

} // namespace sg::engine
