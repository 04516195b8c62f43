#include "core/engine/channels/messages.h"
#include "core/engine/loop/run_loop.h"
#include "core/engine/state/delta_history.h"
#include "core/engine/state/migrate.h"
#include "core/engine/steps/node_updates.h"

#include <algorithm>

// How a run begins: which checkpoint it loads, whether it goes on from there or takes a new input, and what
// of the pending writes it keeps. LangGraph's PregelLoop._first, in its order.
namespace sg::engine {
namespace {

LoopEnd failedWith(std::string type, std::string message)
{
    LoopEnd end;
    end.kind = LoopEnd::Kind::Failed;
    end.failure = { std::move(type), std::move(message), {}, true, {} };
    return end;
}

bool isInterruptId(const Value& key)
{
    return key.isString() && key.asString().size() == 32
        && key.asString().find_first_not_of("0123456789abcdef") == std::string::npos;
}

// {} counts: it answers nothing.
bool isResumeMap(const Value& resume)
{
    return resume.isMap()
        && std::ranges::all_of(resume.asMap(), [](const auto& entry) { return isInterruptId(entry.first); });
}

// The first time a nested graph is met while replaying, whatever the id of its task.
bool isFirstVisit(ReplayBound& bound, const std::string& ns)
{
    const std::lock_guard lock(bound.mutex);
    return bound.visited.insert(ns.substr(0, ns.rfind(':'))).second;
}

bool isBranchPoint(const std::string& source)
{
    return source == "update" || source == "fork";
}

} // namespace

Ended RunLoop::loadRecord(std::optional<checkpoint::CheckpointRecord>& record)
{
    if (auto failed = flush())
        return failed;
    checkpoint::CheckpointStore& store = m_run.saves->store();
    const ThreadId& thread = m_run.options.thread;
    if (!m_place.checkpoint && m_run.replay && isFirstVisit(*m_run.replay, m_place.ns)) {
        checkpoint::CheckpointQuery query;
        query.thread = thread;
        query.ns = m_place.ns;
        query.before = m_run.replay->before;
        query.limit = 1;
        auto listed = store.list(query, [&record](const checkpoint::CheckpointRecord& found) {
            record = found;
            return false;
        });
        if (!listed)
            return storeFailed(listed.error());
        return std::nullopt;
    }
    auto found = store.get(thread, m_place.ns, m_place.checkpoint);
    if (!found)
        return storeFailed(found.error());
    record = *std::move(found);
    if (!m_place.checkpoint || !record)
        return std::nullopt;
    auto latest = store.get(thread, m_place.ns, std::nullopt);
    if (!latest)
        return storeFailed(latest.error());
    m_superseded = *latest && (**latest).ref.id != record->ref.id;
    return std::nullopt;
}

Ended RunLoop::load()
{
    m_metadata.step = -2;
    std::optional<checkpoint::CheckpointRecord> record;
    if (m_place.stores) {
        m_loadedLatest = !m_place.checkpoint && !m_run.replay;
        if (auto failed = loadRecord(record))
            return failed;
        if (!m_place.checkpoint && m_run.replay)
            m_resuming.reset(); // so that the input is applied anew
    }
    m_saved = m_place.checkpoint;
    if (record) {
        migrateCheckpoint(record->checkpoint, m_graph);
        if (auto failed = replayDeltas(*record))
            return failed;
        adopt(*std::move(record));
    } else if (m_exitMode) {
        m_initialId = checkpoint();
    }
    for (const std::int32_t delta : m_graph.deltas)
        m_storedDeltas.push_back(m_state.version(delta));
    m_limits.step = m_metadata.step + 1;
    m_limits.stop = m_limits.step + m_run.recursionLimit + 1;
    return std::nullopt;
}

Ended RunLoop::replayDeltas(const checkpoint::CheckpointRecord& record)
{
    m_state.load(record.checkpoint);
    const auto error = replayDeltaChannels(m_state, record, m_run.saves->store());
    if (!error)
        return std::nullopt;
    return failedWith(error->type, error->message);
}

void RunLoop::adopt(checkpoint::CheckpointRecord record)
{
    m_id = record.ref.id;
    m_initialId = m_id;
    m_hasStoredParent = true;
    m_version = record.checkpoint.version;
    m_saved = m_id;
    m_parent = std::move(record.parent);
    m_metadata = std::move(record.metadata);
    m_pending = readPending(m_graph, record.writes);
    if (const Value* counters = m_metadata.extra.find("counters_since_delta_snapshot");
        counters != nullptr && counters->isMap())
        m_deltaCounters = counters->asMap();
    const auto& updated = record.checkpoint.updatedChannels;
    m_updatedKnown = updated && !updated->empty();
    if (m_updatedKnown)
        for (const std::string& name : *updated)
            if (const auto channel = m_graph.findChannel(name))
                m_updated.add(*channel);
}

bool RunLoop::sameRunAsStored() const
{
    const Value* wanted = m_run.options.metadata.find("run_id");
    const Value* stored = m_metadata.extra.find("run_id");
    return !m_place.nested && wanted != nullptr && stored != nullptr && *wanted == *stored;
}

void RunLoop::decideStart()
{
    m_isResuming = m_state.hasVersions()
        && m_resuming.value_or(m_input.isNull() || m_command.has_value() || sameRunAsStored());
    const bool addressed = m_place.checkpoint.has_value() || m_run.replay != nullptr;
    const bool answers = m_command && !m_command->resume.isNull();
    m_timeTravels = addressed && !answers && !m_resuming.value_or(false);
    m_isReplaying = m_timeTravels || m_superseded;
    if (m_timeTravels)
        std::erase_if(m_pending, [](const Pending& each) { return each.write.channel == kResumeWrite; });
    m_forks = m_isResuming && m_timeTravels && (!isBranchPoint(m_metadata.source) || m_superseded);
    for (const Pending& each : m_pending)
        if (!isNull(each) && isDelta(m_graph, each.write))
            m_storedDeltaWrites.emplace_back(each.taskId, each.write.channel);
    if (m_isResuming && !m_isReplaying)
        std::ranges::copy_if(m_pending, std::back_inserter(m_resumeLoaded),
                             [](const Pending& each) { return !isNull(each); });
    else
        forceSnapshots(pendingDeltas(m_graph, m_pending));
}

Ended RunLoop::companionBegins()
{
    Companion* companion = m_run.services.companion;
    if (companion == nullptr || m_place.nested || !m_place.stores)
        return std::nullopt;
    const auto loaded = m_hasStoredParent ? std::optional(refOf(m_initialId)) : std::nullopt;
    auto begun = companion->begins(loaded, m_isResuming && !m_isReplaying);
    return begun ? std::nullopt : Ended(failedWith("SandboxError", begun.error().message));
}

Ended RunLoop::begin()
{
    for (const std::string& key : m_place.nested ? std::vector<std::string>() : m_run.options.outputKeys)
        if (!m_graph.findChannel(key))
            return failedWith("ValueError", "Key " + key + " not in channels");
    decideStart();
    if (auto failed = companionBegins())
        return failed;
    if (m_command)
        if (auto failed = takeCommand())
            return failed;
    if (auto failed = applyNullWrites())
        return failed;
    const std::optional<CheckpointId> grandparent = m_parent;
    const bool wasBranchPoint = isBranchPoint(m_metadata.source);
    if (m_isResuming) {
        m_state.markAllSeenByInterrupt();
        if (m_forks)
            fork();
        emitValues();
    } else if (!m_input.isNull()) {
        if (auto failed = applyInput())
            return failed;
    } else if (!m_resuming) {
        return failedWith("EmptyInputError", "Received no input for __start__");
    }
    if (!m_place.nested) {
        m_resuming = m_isResuming;
        m_run.replay.reset();
        if (m_timeTravels) {
            m_run.replay = std::make_shared<ReplayBound>();
            m_run.replay->before = checkpoint();
            if (m_forks && wasBranchPoint && grandparent)
                m_run.replay->before = *grandparent;
            else if (isBranchPoint(m_metadata.source) && m_parent)
                m_run.replay->before = *m_parent;
        }
    }
    return std::nullopt;
}

Ended RunLoop::takeCommand()
{
    const checkpoint::CommandView& command = *m_command;
    if (command.graph.isString() && command.graph.asString() == kParentGraph)
        return failedWith("InvalidUpdateError", "There is no parent graph");
    const bool hasMap = isResumeMap(command.resume);
    if (!command.resume.isNull()) {
        if (!m_place.stores)
            return failedWith("RuntimeError", "Cannot use Command(resume=...) without checkpointer");
        std::size_t waiting = 0;
        const TaskStatuses statuses(m_pending);
        for (const auto& [task, status] : statuses.all())
            if (!status.finished())
                waiting += status.interrupts.size();
        if (hasMap)
            m_run.resumeMap = command.resume.asMap();
        else if (waiting > 1)
            return failedWith(
                "RuntimeError",
                "When there are multiple pending interrupts, you must specify the interrupt id when "
                "resuming. Docs: https://docs.langchain.com/oss/python/langgraph/"
                "interrupts#handling-multiple-interrupts.");
    }
    Writes writes;
    const ValueList single{ command.goTo };
    for (const Value& target : command.goTo.isList() ? command.goTo.asList() : single) {
        if (checkpoint::asSend(target))
            writes.push_back({ m_graph.tasksChannel, target, {} });
        else if (target.isString() && !(target.asString().empty() && !command.goTo.isList()))
            writes.push_back(gotoWrite(m_graph, target.asString(), Value(kStartNode)));
        else if (!target.isNull() && !target.isString())
            return failedWith("TypeError", "In Command.goto, expected Send/str");
    }
    if (!command.resume.isNull() && !hasMap)
        writes.push_back({ kResumeWrite, command.resume, {} });
    for (const auto& [key, value] : updateEntries(command.update))
        writes.push_back(namedWrite(m_graph, key, value));
    for (Write& write : writes)
        if (write.channel >= 0 && m_graph.channel(write.channel).keepsMessageIds)
            write.value = withMessageIds(write.value, m_run.services.random);
    if (command.resume
            .isNull()) // LangGraph stumbles over its own variable here, whatever else the command holds
        if (writes.empty())
            return failedWith("UnboundLocalError",
                              "cannot access local variable 'resume_is_map' where it is not "
                              "associated with a value");
    if (writes.empty())
        return std::nullopt;
    if (m_forks) {
        for (Write& write : writes)
            m_carried.push_back({ kNullTaskId, std::move(write) });
        forceSnapshots(pendingDeltas(m_graph, m_carried));
        return std::nullopt;
    }
    if (m_exitMode)
        std::ranges::copy_if(writes, std::back_inserter(m_exitCommandWrites),
                             [this](const Write& write) { return isDelta(m_graph, write); });
    recordNullWrites(std::move(writes));
    return std::nullopt;
}

Ended RunLoop::applyNullWrites()
{
    Writes writes;
    for (const auto* list : { &m_pending, &m_carried })
        for (const Pending& each : *list)
            if (isNull(each))
                writes.push_back(each.write);
    if (writes.empty())
        return std::nullopt;
    AppliedTask task{ {}, -1, Triggered::No, &writes };
    ChannelSet updated(m_graph.channels.size());
    if (const auto error = applyWrites(m_state, { &task, 1 }, &m_versions, updated))
        return failedWith(error->type, error->message);
    if (m_updatedKnown)
        for (const std::int32_t channel : updated.items())
            m_updated.add(channel);
    return std::nullopt;
}

// Replaying starts a branch of its own, so that an interrupt in its first superstep has a checkpoint to stand
// on.
void RunLoop::fork()
{
    std::erase_if(m_pending, [](const Pending& each) { return each.write.channel == kInterruptWrite; });
    saveCheckpoint("fork", false);
}

Ended RunLoop::applyInput()
{
    // Tasks that the loaded checkpoint had left are dropped: they count as run, without writes.
    std::vector<Task> dropped = planTasks(m_state, m_limits, nullptr);
    Writes input{ { m_graph.startChannel, m_input, {} } };
    std::vector<AppliedTask> tasks;
    for (Task& task : dropped)
        tasks.push_back({ task.path, task.node, task.triggered, &task.writes });
    tasks.push_back({ {}, -1, Triggered::No, &input });
    m_updated.clear();
    m_updatedKnown = true;
    if (const auto error = applyWrites(m_state, tasks, &m_versions, m_updated))
        return failedWith(error->type, error->message);
    saveCheckpoint("input");
    return std::nullopt;
}

} // namespace sg::engine
