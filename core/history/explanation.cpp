#include "core/history/explanation.h"

#include "core/checkpoint/circle_watch.h"
#include "core/engine/names.h"
#include "core/history/inert_state.h"

#include <algorithm>
#include <deque>
#include <memory>

namespace sg::history {
namespace {

// The ancestors of a checkpoint, newest first, read on demand.
class Lineage {
public:
    Lineage(checkpoint::CheckpointStore& store, ThreadId thread, std::string ns)
        : m_store(store)
        , m_thread(std::move(thread))
        , m_ns(std::move(ns))
    {
    }

    Result<bool> start(const std::optional<CheckpointId>& id)
    {
        auto record = m_store.look(m_thread, m_ns, id);
        if (!record)
            return std::move(record.error());
        if (*record)
            m_records.push_back(std::move(**record));
        return !m_records.empty();
    }

    // Returns null after the first one, and if an ancestor is missing, as after a run with durability exit.
    Result<const checkpoint::CheckpointRecord*> at(std::size_t place)
    {
        while (m_records.size() <= place) {
            const auto& parent = m_records.back().parent;
            if (!parent || m_ended)
                return nullptr;
            auto record = m_store.look(m_thread, m_ns, parent);
            if (!record)
                return std::move(record.error());
            m_ended = !*record;
            if (m_ended)
                return nullptr;
            if (m_circle.closes((**record).ref.id))
                return checkpoint::circleError(m_thread.value);
            m_records.push_back(std::move(**record));
        }
        return &m_records[place];
    }

private:
    checkpoint::CheckpointStore& m_store;
    const ThreadId m_thread;
    const std::string m_ns;
    std::deque<checkpoint::CheckpointRecord> m_records; // keeps references valid while it grows
    checkpoint::CircleWatch m_circle;
    bool m_ended = false;
};

std::string nodeOfPath(std::string_view path, const checkpoint::Checkpoint& from)
{
    constexpr std::string_view kPull = "~__pregel_pull, ";
    constexpr std::string_view kHandler = ", node_error_handler, ";
    if (path.starts_with(kPull)) {
        path.remove_prefix(kPull.size());
        if (const std::size_t handler = path.rfind(kHandler); handler != std::string_view::npos)
            path = path.substr(0, handler);
        return std::string(path);
    }
    const auto index = sendIndex(path);
    const auto sends = index ? sendTargets(from) : std::vector<NodeId>();
    return index && *index < sends.size() ? sends[*index].value : std::string();
}

std::vector<NodeId> everyWriterOf(const checkpoint::CheckpointRecord& parent, const std::string& channel)
{
    std::vector<NodeId> nodes;
    for (const checkpoint::PendingWrite& write : parent.writes)
        if (write.channel == channel)
            nodes.emplace_back(nodeOfPath(write.taskPath, parent.checkpoint));
    return nodes;
}

Value versionOf(const ValueMap& versions, const std::string& channel)
{
    const Value* version = versions.find(channel);
    return version != nullptr ? *version : Value();
}

void dropUnnamed(std::vector<NodeId>& nodes)
{
    std::erase_if(nodes, [](const NodeId& node) { return node.empty(); });
    std::vector<NodeId> unique;
    for (NodeId& node : nodes)
        if (std::ranges::find(unique, node) == unique.end())
            unique.push_back(std::move(node));
    nodes = std::move(unique);
}

// Finds where the channel got the version that it has at `place`, and who wrote it.
Result<TriggerReason> originOf(Lineage& lineage, std::size_t place, const std::string& channel)
{
    auto current = lineage.at(place);
    if (!current)
        return std::move(current.error());
    TriggerReason reason;
    reason.channel = channel;
    reason.version = versionOf((**current).checkpoint.channelVersions, channel);
    while (true) {
        auto parent = lineage.at(place + 1);
        if (!parent)
            return std::move(parent.error());
        const checkpoint::CheckpointRecord& record = **current;
        reason.setAt = record.ref.id;
        reason.source = record.metadata.source;
        if (*parent == nullptr) {
            if (record.parent) // the file no longer has its beginning
                reason.setAt = {};
            return reason;
        }
        if (versionOf((**parent).checkpoint.channelVersions, channel) != reason.version) {
            reason.writtenBy = everyWriterOf(**parent, channel);
            return reason;
        }
        ++place;
        current = *parent;
    }
}

TaskOutcome outcomeOf(const engine::StateTask& task, bool superstepEnded)
{
    if (superstepEnded || task.result)
        return TaskOutcome::Done;
    if (!task.error.isNull())
        return TaskOutcome::Failed;
    return task.interrupts.empty() ? TaskOutcome::Pending : TaskOutcome::Interrupted;
}

class Explainer {
public:
    Explainer(checkpoint::CheckpointStore& store, const ThreadId& thread, const std::string& ns)
        : m_lineage(store, thread, ns)
    {
    }

    Lineage& lineage() { return m_lineage; }

    // `ended`: the thread went on from there, so all its tasks have finished.
    Result<SuperstepReasons> superstep(std::size_t place, bool ended)
    {
        auto found = m_lineage.at(place);
        if (!found)
            return std::move(found.error());
        const checkpoint::CheckpointRecord& record = **found;
        SuperstepReasons out{ record.ref.id, record.metadata.step + 1, record.metadata.source, {} };
        const std::vector<ReadyTrigger> ready = readyTriggers(record.checkpoint);
        const std::size_t sends = sendTargets(record.checkpoint).size();
        const engine::StateSnapshot snapshot = inertSnapshot(record);
        for (std::size_t i = 0; i < snapshot.tasks.size(); ++i) {
            const engine::StateTask& task = snapshot.tasks[i];
            TaskReason reason{ task.id, task.name, i < sends, outcomeOf(task, ended), {} };
            auto told = reason.isSend ? tellSend(reason, place, i, sends)
                                      : tellTriggers(reason, place, record.checkpoint, ready);
            if (!told)
                return std::move(told.error());
            out.tasks.push_back(std::move(reason));
        }
        return out;
    }

private:
    Result<void> tellTriggers(TaskReason& task, std::size_t place, const checkpoint::Checkpoint& checkpoint,
                              const std::vector<ReadyTrigger>& ready)
    {
        for (const ReadyTrigger& trigger : ready) {
            if (trigger.node != task.node)
                continue;
            auto reason = originOf(m_lineage, place, trigger.channel);
            if (!reason)
                return std::move(reason.error());
            if (const Value* seen = checkpoint.versionsSeen.find(task.node.value))
                reason->seen = (*seen)[trigger.channel];
            dropUnnamed(reason->writtenBy);
            task.triggers.push_back(std::move(*reason));
        }
        return {};
    }

    // The i-th Send is the i-th write to the channel of Sends.
    Result<void> tellSend(TaskReason& task, std::size_t place, std::size_t index, std::size_t count)
    {
        auto reason = originOf(m_lineage, place, engine::kTasksName);
        if (!reason)
            return std::move(reason.error());
        if (reason->writtenBy.size() == count)
            reason->writtenBy = { reason->writtenBy[index] };
        dropUnnamed(reason->writtenBy);
        task.triggers.push_back(std::move(*reason));
        return {};
    }

    Lineage m_lineage;
};

} // namespace

std::vector<NodeId> writersOf(const checkpoint::CheckpointRecord& parent, const std::string& channel)
{
    std::vector<NodeId> nodes = everyWriterOf(parent, channel);
    dropUnnamed(nodes);
    return nodes;
}

Result<std::vector<SuperstepReasons>> explainThread(checkpoint::CheckpointStore& store,
                                                    const ThreadId& thread, const std::string& ns,
                                                    const std::optional<CheckpointId>& checkpoint,
                                                    std::int64_t limit)
{
    Explainer explainer(store, thread, ns);
    auto found = explainer.lineage().start(checkpoint);
    if (!found)
        return std::move(found.error());
    if (!*found)
        return Error{ Errc::NotFound,
                      "thread '" + thread.value + "' has no "
                          + (checkpoint ? "checkpoint " + checkpoint->value
                                     + ". List them with: sandglass "
                                       "history --thread "
                                     + thread.value
                                        : "checkpoints. See all threads with: sandglass threads") };
    bool ended = false;
    if (checkpoint) { // a child made by the loop shows that its superstep ended
        checkpoint::CheckpointQuery query;
        query.thread = thread;
        query.ns = ns;
        query.withWrites = false;
        query.isLook = true;
        auto listed = store.list(query, [&](const checkpoint::CheckpointRecord& record) {
            if (record.ref.id <= *checkpoint)
                return false;
            ended = record.parent == checkpoint && record.metadata.source == checkpoint::Source::Loop;
            return !ended;
        });
        if (!listed)
            return std::move(listed.error());
    }
    std::vector<SuperstepReasons> out;
    for (std::size_t place = 0; static_cast<std::int64_t>(out.size()) < limit; ++place) {
        auto record = explainer.lineage().at(place);
        if (!record)
            return std::move(record.error());
        if (*record == nullptr)
            break;
        auto reasons = explainer.superstep(place, ended);
        if (!reasons)
            return std::move(reasons.error());
        if (checkpoint || !reasons->tasks.empty())
            out.push_back(std::move(*reasons));
        if (checkpoint)
            break;
        ended = (**record).metadata.source
            == checkpoint::Source::Loop; // otherwise the parent's tasks were abandoned
    }
    std::ranges::reverse(out);
    return out;
}

} // namespace sg::history
