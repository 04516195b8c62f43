#include "core/engine/loop/run_loop.h"

#include "core/engine/compile/breakpoint_conditions.h"
#include "core/engine/compile/node_cache.h"
#include "core/engine/out/checkpoint_chunk.h"
#include "core/engine/state/delta_history.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace sg::engine {
namespace {

std::vector<std::int32_t> outputKeysOf(const CompiledGraph& graph, const RunContext& run,
                                       const LoopPlace& place)
{
    if (place.nested)
        return graph.output;
    std::vector<std::int32_t> keys;
    for (const std::string& name : run.options.outputKeys)
        if (const auto channel = graph.findChannel(name))
            keys.push_back(*channel);
    if (!run.options.outputKeys.empty())
        return keys;
    return run.options.streamModes.empty() ? graph.output : graph.stream;
}

NodeSelection selectionOf(const CompiledGraph& graph, const LoopPlace& place,
                          const std::vector<std::string>& wanted, const NodeSelection& compiled)
{
    return place.nested || wanted.empty() ? compiled : selectNodes(graph, wanted);
}

} // namespace

RunLoop::RunLoop(const CompiledGraph& graph, RunContext& run, LoopPlace place, Value input)
    : m_graph(graph)
    , m_run(run)
    , m_place(std::move(place))
    , m_input(std::move(input))
    , m_command(checkpoint::asCommand(m_input))
    , m_stream(graph, run, m_place.ns, m_place.streams)
    , m_versions(m_place.stores ? &run.services.random : nullptr)
    , m_exitMode(m_place.stores && run.durability == Durability::Exit)
    , m_before(selectionOf(graph, m_place, run.options.interruptBefore, graph.interruptBefore))
    , m_after(selectionOf(graph, m_place, run.options.interruptAfter, graph.interruptAfter))
    , m_outputKeys(outputKeysOf(graph, run, m_place))
    , m_state(graph, run.services.random)
    , m_updated(graph.channels.size())
    , m_updating(graph.channels.size())
    , m_resuming(m_place.resuming)
{
}

RunLoop::~RunLoop() = default;

LoopEnd RunLoop::run()
{
    Ended ended = load();
    if (ended)
        return *std::move(ended);
    ended = begin();
    if (ended) { // what a command put down stays, also where it could not be applied
        if (auto failed = flush())
            return *std::move(failed);
        return *std::move(ended);
    }
    while (!ended) {
        ended = tick();
        if (ended)
            break;
        matchCache();
        ended = execute();
        if (!ended)
            ended = afterTick();
    }
    const bool raises = ended->kind != LoopEnd::Kind::Done && ended->kind != LoopEnd::Kind::OutOfSteps;
    const bool keepsHistory = m_place.ns.find(':') == std::string::npos;
    if (m_exitMode && (!m_place.nested || raises || keepsHistory))
        saveAtExit();
    saveCompanionAtEnd(*ended);
    if (ended->kind == LoopEnd::Kind::Interrupted && !m_place.nested)
        if (auto failed = finishInterrupted(*ended))
            ended = std::move(failed);
    if (!m_place.nested || raises)
        if (auto failed = flush())
            return *std::move(failed);
    return *std::move(ended);
}

Value RunLoop::output()
{
    if (!m_hasLatest)
        return {};
    return m_latest ? *m_latest : m_state.values(m_outputKeys);
}

// A fold that failed has left its traces in the channels; what is stored has none.
void RunLoop::showStored()
{
    if (!m_hasLatest || m_latest)
        return;
    m_latest = Value();
    if (!m_place.stores || !m_saved)
        return;
    const auto record = m_run.saves->store().get(m_run.options.thread, m_place.ns, m_saved);
    if (!record || !*record)
        return;
    GraphState stored(m_graph, m_run.services.random);
    stored.load((*record)->checkpoint);
    if (!replayDeltaChannels(stored, **record, m_run.saves->store()))
        m_latest = stored.values(m_outputKeys);
}

Ended RunLoop::tick()
{
    prepareTasks();
    if (m_limits.step > m_limits.stop) {
        LoopEnd end;
        end.kind = LoopEnd::Kind::OutOfSteps;
        end.failure = {
            "GraphRecursionError",
            "Recursion limit of " + std::to_string(m_run.recursionLimit)
                + " reached without hitting a stop condition. You can increase the limit by setting the "
                  "`recursion_limit` config key.\nFor troubleshooting, visit: "
                  "https://docs.langchain.com/oss/python/langgraph/errors/GRAPH_RECURSION_LIMIT",
            {},
            true,
            {}
        };
        return end;
    }
    if (m_tasks.empty())
        return LoopEnd{};
    if (!m_isReplaying && !m_pending.empty()) {
        reapplyFinished();
        resumeErrorHandlers();
    }
    if (!m_before.empty() && interruptsAt(m_before))
        return LoopEnd{ LoopEnd::Kind::Interrupted, {}, {}, {}, {} };
    if (m_run.options.stop.stop_requested())
        return LoopEnd{ LoopEnd::Kind::Stopped, {}, {}, {}, {} };
    if (m_stream.wantsDetail(StreamMode::Tasks))
        eachTask([this](Task& task) {
            taskId(task);
            m_stream.taskStarts(task, m_limits.step);
        });
    eachTask([this](Task& task) {
        if (!task.writes.empty())
            m_stream.taskWrote(
                task, task.writes, true, m_outputKeys, [this] { return m_state.values(m_outputKeys); },
                m_limits.step);
    });
    return std::nullopt;
}

void RunLoop::prepareTasks()
{
    planTasks(m_state, m_limits, m_updatedKnown ? &m_updated : nullptr, m_tasks);
    m_handlers.clear();
    m_taskIds.reset();
    m_planned = true;
    m_single.reset();
    m_hadPending = !m_pending.empty();
    for (const Pending& pending : m_pending)
        if (isNull(pending) && pending.write.channel == kResumeWrite) {
            m_single = std::make_shared<SingleAnswer>(pending.write.value);
            break;
        }
    if (m_place.stores && m_stream.wantsDetail(StreamMode::Checkpoints)) {
        eachTask([this](Task& task) { taskId(task); });
        const CheckpointView view{ m_graph,      m_state,     m_run.options.thread, m_place.ns,
                                   checkpoint(), m_parent,    m_metadata,           m_tasks,
                                   m_pending,    m_outputKeys };
        m_stream.emitDetail(StreamMode::Checkpoints, checkpointChunk(view), "checkpoint", m_limits.step - 1);
    }
    announceCheckpoint();
}

void RunLoop::announceCheckpoint()
{
    if (!std::exchange(m_unannounced, false))
        return;
    std::vector<NodeId> next;
    for (const Task& task : m_tasks)
        next.push_back(m_graph.node(task.node).name);
    m_run.publisher.publish(CheckpointSaved{ checkpoint(), m_place.ns, m_parent.value_or(CheckpointId()),
                                             m_announceSource, m_limits.step - 1, std::move(m_announceAfter),
                                             std::move(next) });
    m_announceAfter.clear();
}

void RunLoop::matchCache()
{
    if (!m_graph.cache)
        return;
    std::vector<Task*> matched; // of tasks with the same key only the last, as LangGraph does
    std::unordered_map<std::string_view, std::size_t> places;
    for (Task& task : m_tasks) {
        const CompiledNode& node = m_graph.node(task.node);
        if (!node.cache)
            continue;
        task.cacheKey = NodeCache::keyOf(node.name.value, task.input);
        if (!task.writes.empty())
            continue;
        const auto [place, isNew] = places.try_emplace(task.cacheKey, matched.size());
        if (isNew)
            matched.push_back(&task);
        else
            matched[place->second] = &task;
    }
    for (Task* task : matched)
        if (auto writes = m_graph.cache->find(task->cacheKey, m_run.services.clock.now())) {
            task->writes = *std::move(writes);
            recordWrites(*task, true);
        }
}

void RunLoop::reapplyFinished()
{
    const TaskStatuses statuses(m_pending);
    for (Task& task : m_tasks)
        if (const TaskStatus* status = statuses.find(taskId(task))) {
            task.writes = status->output;
            m_reappliedTasks.push_back(task.id);
        }
}

bool RunLoop::interruptsAt(const NodeSelection& selection)
{
    if (!m_state.changedSinceInterrupt())
        return false;
    BreakpointConditions conditions(selection, [this] { return m_state.values(m_graph.stream); });
    const auto holds = [&](Task& task) {
        const auto node = static_cast<std::size_t>(task.node);
        if (selection.all ? task.node == 0 : !selection.nodes[node])
            return false;
        const TaskInfo info{
            m_run.options.thread, m_run.options.run, m_graph.node(task.node).name, {}, m_place.ns, {},
            m_limits.step
        };
        return conditions.hold(task.node, info);
    };
    const bool pauses = std::ranges::any_of(m_tasks, holds) || std::ranges::any_of(m_handlers, holds);
    for (const BreakpointConditions::Fault& fault : conditions.faults())
        m_run.publisher.publish(LogLine{ {},
                                         fault.node,
                                         m_limits.step,
                                         LogLine::Stream::Event,
                                         "the condition of the breakpoint at '" + fault.node.value
                                             + "' failed, so it pauses: " + fault.message + "\n" });
    return pauses;
}

Ended RunLoop::applyTasks(ChannelSet& updated)
{
    m_applied.clear();
    std::vector<Writes> copies;
    if (m_exitMode) { // what this superstep recorded may still be stored
        copies.reserve(m_tasks.size() + m_handlers.size());
        eachTask([&copies](const Task& task) { copies.push_back(task.writes); });
    }
    std::size_t place = 0;
    eachTask([&](Task& task) {
        m_applied.push_back(
            { task.path, task.node, task.triggered, m_exitMode ? &copies[place++] : &task.writes });
    });
    if (const auto error = applyWrites(m_state, m_applied, &m_versions, updated)) {
        LoopEnd end;
        end.kind = LoopEnd::Kind::Failed;
        end.failure = { error->type, error->message, {}, true, {} };
        return end;
    }
    return std::nullopt;
}

Ended RunLoop::afterTick()
{
    forceWrittenDeltas();
    bool wroteOutput = false;
    eachTask([&](Task& task) {
        task.input = {}; // so that channels are the only owners of their values
        wroteOutput = wroteOutput || std::ranges::any_of(task.writes, [this](const Write& write) {
                          return write.channel >= 0
                              && std::ranges::find(m_outputKeys, write.channel) != m_outputKeys.end();
                      });
        if (m_run.publisher.isHeard() && m_place.stores)
            m_announceAfter.push_back(m_graph.node(task.node).name);
    });
    m_updating.clear();
    if (auto failed = applyTasks(m_updating)) { // what the step before updated still stands
        m_stream.dropHeld();
        if (auto unsaved = flush())
            return unsaved;
        showStored();
        return failed;
    }
    m_stream.release();
    captureExitDeltas();
    std::swap(m_updated, m_updating);
    m_updatedKnown = true;
    const bool isInputAlone = m_tasks.size() == 1 && m_tasks.front().node == 0; // no node ran
    if (m_place.ns.empty() && !isInputAlone)
        ++m_run.supersteps;
    if (wroteOutput && outputChanged(m_updated))
        emitValues();
    m_pending.clear();
    m_isReplaying = false;
    saveCheckpoint("loop");
    if (m_run.saves != nullptr && m_place.stores)
        if (auto failed = stored(m_run.saves->stepEnded()))
            return failed;
    if (!m_after.empty() && interruptsAt(m_after)) {
        prepareTasks();
        return LoopEnd{ LoopEnd::Kind::Interrupted, {}, {}, {}, {} };
    }
    m_resuming.reset();
    return std::nullopt;
}

bool RunLoop::outputChanged(const ChannelSet& updated) const
{
    return std::ranges::any_of(m_outputKeys, [&updated](std::int32_t key) { return updated.contains(key); });
}

void RunLoop::noteValues()
{
    m_hasLatest = true;
    if (!m_graph.stickyOutput || !m_run.options.outputKeys.empty() || !m_run.options.streamModes.empty())
        m_latest = m_state.values(m_outputKeys);
}

void RunLoop::emitValues()
{
    noteValues();
    if (m_stream.wants(StreamMode::Values))
        m_stream.emit(StreamMode::Values, m_latest ? *m_latest : m_state.values(m_outputKeys));
}

// The run stops for an answer: what finished tasks wrote shows in its result.
Ended RunLoop::finishInterrupted(const LoopEnd& end)
{
    bool wrote = false;
    bool recorded = !m_pending.empty();
    eachTask([&](const Task& task) {
        wrote = wrote || !task.writes.empty();
        recorded = recorded || task.recorded;
    });
    if (m_planned && recorded && wrote) {
        bool wroteOutput = false;
        eachTask([&](const Task& task) {
            wroteOutput = wroteOutput || std::ranges::any_of(task.writes, [this](const Write& write) {
                              return std::ranges::find(m_outputKeys, write.channel) != m_outputKeys.end();
                          });
        });
        ChannelSet updated(m_graph.channels.size());
        if (auto failed = applyTasks(updated))
            return failed;
        if (wroteOutput && outputChanged(updated))
            emitValues();
    }
    if (end.interrupts.empty())
        m_stream.emit(StreamMode::Updates, Value::map({ { kInterruptName, Value(ValueList()) } }));
    return std::nullopt;
}

} // namespace sg::engine
