#include "core/engine/loop/loop_start.h"

#include "core/engine/channels/messages.h"
#include "core/engine/state/delta_history.h"
#include "core/engine/state/migrate.h"
#include "core/engine/steps/node_updates.h"

#include <algorithm>

// These steps and their order are those of LangGraph's PregelLoop._first.
namespace sg::engine {
namespace {

bool isInterruptId(const Value& key)
{
    return key.isString() && key.asString().size() == 32
        && key.asString().find_first_not_of("0123456789abcdef") == std::string::npos;
}

// An empty map counts: it answers nothing.
bool isResumeMap(const Value& resume)
{
    return resume.isMap()
        && std::ranges::all_of(resume.asMap(), [](const auto& entry) { return isInterruptId(entry.first); });
}

// Tells whether a nested graph is met for the first time in a replay, whatever the id of its task.
bool isFirstVisit(ReplayBound& bound, const std::string& ns)
{
    const std::lock_guard lock(bound.mutex);
    return bound.visited.insert(ns.substr(0, ns.rfind(':'))).second;
}

bool isBranchPoint(const Word<checkpoint::Source>& source)
{
    return source == checkpoint::Source::Update || source == checkpoint::Source::Fork;
}

} // namespace

LoopStart::LoopStart(LoopState& loop, DeltaSaving& deltas, CheckpointSaver& saver, LoopOutput& output,
                     Value input)
    : m_loop(loop)
    , m_deltas(deltas)
    , m_saver(saver)
    , m_output(output)
    , m_input(std::move(input))
    , m_command(checkpoint::asCommand(m_input))
{
}

Ended LoopStart::loadRecord(std::optional<checkpoint::CheckpointRecord>& record)
{
    if (auto failed = m_loop.flush())
        return failed;
    const LoopPlace& place = m_loop.place;
    checkpoint::CheckpointStore& store = m_loop.run.saves->store();
    const ThreadId& thread = m_loop.run.options.thread;
    if (!place.checkpoint && m_loop.run.replay && isFirstVisit(*m_loop.run.replay, place.ns)) {
        checkpoint::CheckpointQuery query;
        query.thread = thread;
        query.ns = place.ns;
        query.before = m_loop.run.replay->before;
        query.limit = 1;
        auto listed = store.list(query, [&record](const checkpoint::CheckpointRecord& found) {
            record = found;
            return false;
        });
        if (!listed)
            return storeFailed(listed.error());
        return std::nullopt;
    }
    auto found = store.get(thread, place.ns, place.checkpoint);
    if (!found)
        return storeFailed(found.error());
    record = *std::move(found);
    if (!place.checkpoint || !record)
        return std::nullopt;
    auto latest = store.get(thread, place.ns, std::nullopt);
    if (!latest)
        return storeFailed(latest.error());
    m_superseded = *latest && (**latest).ref.id != record->ref.id;
    return std::nullopt;
}

Ended LoopStart::load()
{
    const LoopPlace& place = m_loop.place;
    Head& head = m_loop.head;
    head.metadata.step = -2;
    std::optional<checkpoint::CheckpointRecord> record;
    if (place.stores) {
        head.loadedLatest = !place.checkpoint && !m_loop.run.replay;
        if (auto failed = loadRecord(record))
            return failed;
        if (!place.checkpoint && m_loop.run.replay)
            m_loop.resuming.reset(); // so that the input is applied anew
    }
    head.saved = place.checkpoint;
    if (record) {
        migrateCheckpoint(record->checkpoint, m_loop.graph);
        m_loop.channels.load(record->checkpoint);
        if (auto error = replayDeltaChannels(m_loop.channels, *record, m_loop.run.saves->store()))
            return failedWith(*std::move(error));
        adopt(*std::move(record));
    } else if (m_loop.savesAtExit) {
        head.initialId = m_loop.checkpoint();
    }
    m_deltas.noteStored();
    m_loop.limits.step = head.metadata.step + 1;
    m_loop.limits.stop = m_loop.limits.step + m_loop.run.recursionLimit + 1;
    return std::nullopt;
}

void LoopStart::adopt(checkpoint::CheckpointRecord record)
{
    Head& head = m_loop.head;
    head.id = record.ref.id;
    head.initialId = head.id;
    head.hasStoredParent = true;
    head.version = record.checkpoint.version;
    head.saved = head.id;
    head.parent = std::move(record.parent);
    head.metadata = std::move(record.metadata);
    m_loop.tasks.pending = readPending(m_loop.graph, record.writes);
    if (const Value* counters = head.metadata.extra.find("counters_since_delta_snapshot");
        counters != nullptr && counters->isMap())
        m_deltas.takeCounters(counters->asMap());
    const auto& updated = record.checkpoint.updatedChannels;
    m_loop.updatedKnown = updated && !updated->empty();
    if (m_loop.updatedKnown)
        for (const std::string& name : *updated)
            if (const auto channel = m_loop.graph.findChannel(name))
                m_loop.updated.add(*channel);
}

bool LoopStart::isSameRunAsStored() const
{
    const Value* wanted = m_loop.run.options.metadata.find("run_id");
    const Value* stored = m_loop.head.metadata.extra.find("run_id");
    return !m_loop.place.nested && wanted != nullptr && stored != nullptr && *wanted == *stored;
}

void LoopStart::decide()
{
    m_isResuming = m_loop.channels.hasVersions()
        && m_loop.resuming.value_or(m_input.isNull() || m_command.has_value() || isSameRunAsStored());
    const bool addressed = m_loop.place.checkpoint.has_value() || m_loop.run.replay != nullptr;
    const bool answers = m_command && !m_command->resume.isNull();
    m_timeTravels = addressed && !answers && !m_loop.resuming.value_or(false);
    m_loop.isReplaying = m_timeTravels || m_superseded;
    if (m_timeTravels)
        std::erase_if(m_loop.tasks.pending,
                      [](const Pending& each) { return each.write.channel == kResumeWrite; });
    m_forks = m_isResuming && m_timeTravels && (!isBranchPoint(m_loop.head.metadata.source) || m_superseded);
    m_deltas.takePending(m_isResuming && !m_loop.isReplaying);
}

Ended LoopStart::companionBegins()
{
    Companion* companion = m_loop.run.services.companion;
    if (companion == nullptr || m_loop.place.nested || !m_loop.place.stores)
        return std::nullopt;
    const Head& head = m_loop.head;
    const auto loaded = head.hasStoredParent ? std::optional(m_loop.refOf(head.initialId)) : std::nullopt;
    auto begun = companion->begins(loaded, m_isResuming && !m_loop.isReplaying);
    return begun ? std::nullopt : Ended(failedWith({ "SandboxError", begun.error().message }));
}

Ended LoopStart::begin()
{
    if (!m_loop.place.nested)
        for (const std::string& key : m_loop.run.options.outputKeys)
            if (!m_loop.graph.findChannel(key))
                return failedWith({ "ValueError", "Key " + key + " not in channels" });
    decide();
    if (auto failed = companionBegins())
        return failed;
    if (m_command)
        if (auto failed = takeCommand())
            return failed;
    if (auto failed = applyNullWrites())
        return failed;
    const std::optional<CheckpointId> grandparent = m_loop.head.parent;
    const bool wasBranchPoint = isBranchPoint(m_loop.head.metadata.source);
    if (m_isResuming) {
        m_loop.channels.markAllSeenByInterrupt();
        if (m_forks)
            fork();
        m_output.emitValues();
    } else if (!m_input.isNull()) {
        if (auto failed = applyInput())
            return failed;
    } else if (!m_loop.resuming) {
        return failedWith({ "EmptyInputError", "Received no input for __start__" });
    }
    if (!m_loop.place.nested)
        tellNested(grandparent, wasBranchPoint);
    return std::nullopt;
}

// Tells nested graphs whether they go on, and from which of their checkpoints.
void LoopStart::tellNested(const std::optional<CheckpointId>& grandparent, bool wasBranchPoint)
{
    m_loop.resuming = m_isResuming;
    m_loop.run.replay.reset();
    if (!m_timeTravels)
        return;
    m_loop.run.replay = std::make_shared<ReplayBound>();
    CheckpointId& before = m_loop.run.replay->before;
    before = m_loop.checkpoint();
    if (m_forks && wasBranchPoint && grandparent)
        before = *grandparent;
    else if (isBranchPoint(m_loop.head.metadata.source) && m_loop.head.parent)
        before = *m_loop.head.parent;
}

Ended LoopStart::takeCommand()
{
    const checkpoint::CommandView& command = *m_command;
    if (command.graph.isString() && command.graph.asString() == kParentGraph)
        return failedWith({ "InvalidUpdateError", "There is no parent graph" });
    const bool hasMap = isResumeMap(command.resume);
    if (!command.resume.isNull()) {
        if (!m_loop.place.stores)
            return failedWith({ "RuntimeError", "Cannot use Command(resume=...) without checkpointer" });
        std::size_t waiting = 0;
        const TaskStatuses statuses(m_loop.tasks.pending);
        for (const auto& [task, status] : statuses.all())
            if (!status.finished())
                waiting += status.interrupts.size();
        if (hasMap)
            m_loop.run.resumeMap = command.resume.asMap();
        else if (waiting > 1)
            return failedWith(
                { "RuntimeError",
                  "When there are multiple pending interrupts, you must specify the interrupt id when "
                  "resuming. Docs: https://docs.langchain.com/oss/python/langgraph/"
                  "interrupts#handling-multiple-interrupts." });
    }
    Writes writes;
    if (auto failed = writesOfGoto(writes))
        return failed;
    if (!command.resume.isNull() && !hasMap)
        writes.push_back({ kResumeWrite, command.resume, {} });
    for (const auto& [key, value] : updateEntries(command.update))
        writes.push_back(namedWrite(m_loop.graph, key, value));
    for (Write& write : writes)
        if (write.channel >= 0 && m_loop.graph.channel(write.channel).keepsMessageIds)
            write.value = withMessageIds(write.value, m_loop.run.services.random);
    if (command.resume
            .isNull()) // LangGraph stumbles over its own variable here, whatever else the command holds
        if (writes.empty())
            return failedWith({ "UnboundLocalError",
                                "cannot access local variable 'resume_is_map' where it is not "
                                "associated with a value" });
    if (writes.empty())
        return std::nullopt;
    if (m_forks) {
        for (Write& write : writes)
            m_carried.push_back({ kNullTaskId, std::move(write) });
        m_deltas.force(pendingDeltas(m_loop.graph, m_carried));
        return std::nullopt;
    }
    m_deltas.takeCommand(writes);
    m_saver.recordNullWrites(std::move(writes));
    return std::nullopt;
}

Ended LoopStart::writesOfGoto(Writes& writes)
{
    const Value& goTo = m_command->goTo;
    const ValueList single{ goTo };
    for (const Value& target : goTo.isList() ? goTo.asList() : single) {
        if (checkpoint::asSend(target))
            writes.push_back({ m_loop.graph.tasksChannel, target, {} });
        else if (target.isString() && !(target.asString().empty() && !goTo.isList()))
            writes.push_back(gotoWrite(m_loop.graph, target.asString(), Value(kStartNode)));
        else if (!target.isNull() && !target.isString())
            return failedWith({ "TypeError", "In Command.goto, expected Send/str" });
    }
    return std::nullopt;
}

Ended LoopStart::applyNullWrites()
{
    Writes writes;
    for (const auto* list : { &m_loop.tasks.pending, &m_carried })
        for (const Pending& each : *list)
            if (isNull(each))
                writes.push_back(each.write);
    if (writes.empty())
        return std::nullopt;
    AppliedTask task{ {}, -1, Triggered::No, &writes };
    ChannelSet updated(m_loop.graph.channels.size());
    if (auto error = applyWrites(m_loop.channels, { &task, 1 }, &m_loop.versions, updated))
        return failedWith(*std::move(error));
    if (m_loop.updatedKnown)
        for (const std::int32_t channel : updated.items())
            m_loop.updated.add(channel);
    return std::nullopt;
}

// Replaying starts a branch, so that an interrupt in its first superstep has a checkpoint to belong to.
void LoopStart::fork()
{
    std::erase_if(m_loop.tasks.pending,
                  [](const Pending& each) { return each.write.channel == kInterruptWrite; });
    m_saver.save(checkpoint::Source::Fork, false);
}

Ended LoopStart::applyInput()
{
    // Tasks that the loaded checkpoint had left are dropped: they count as run, without writes.
    std::vector<Task> dropped = planTasks(m_loop.channels, m_loop.limits, nullptr);
    Writes input{ { m_loop.graph.startChannel, m_input, {} } };
    std::vector<AppliedTask> tasks;
    for (Task& task : dropped)
        tasks.push_back({ task.path, task.node, task.triggered, &task.writes });
    tasks.push_back({ {}, -1, Triggered::No, &input });
    m_loop.updated.clear();
    m_loop.updatedKnown = true;
    if (auto error = applyWrites(m_loop.channels, tasks, &m_loop.versions, m_loop.updated))
        return failedWith(*std::move(error));
    m_saver.save(checkpoint::Source::Input);
    return std::nullopt;
}

} // namespace sg::engine
