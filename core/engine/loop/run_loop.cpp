#include "core/engine/loop/run_loop.h"

#include "core/engine/compile/breakpoint_conditions.h"
#include "core/engine/loop/loop_start.h"

#include <algorithm>

namespace sg::engine {
namespace {

NodeSelection selectionOf(const LoopState& loop, const std::vector<std::string>& wanted,
                          const NodeSelection& compiled)
{
    return loop.place.nested || wanted.empty() ? compiled : selectNodes(loop.graph, wanted);
}

} // namespace

RunLoop::RunLoop(const CompiledGraph& graph, RunContext& run, LoopPlace place, Value input)
    : m_input(std::move(input))
    , m_loop(graph, run, std::move(place))
    , m_deltas(m_loop)
    , m_output(m_loop)
    , m_saver(m_loop, m_deltas, m_output)
    , m_errors(m_loop, m_deltas)
    , m_execution(m_loop, m_saver, m_errors, m_output)
    , m_before(selectionOf(m_loop, run.options.interruptBefore, graph.interruptBefore))
    , m_after(selectionOf(m_loop, run.options.interruptAfter, graph.interruptAfter))
    , m_updating(graph.channels.size())
{
}

LoopEnd RunLoop::run()
{
    LoopStart start(m_loop, m_deltas, m_saver, m_output, std::move(m_input));
    Ended ended = start.load();
    if (ended)
        return *std::move(ended);
    ended = start.begin();
    if (ended) { // what a command wrote stays, even if it could not be applied
        if (auto failed = m_loop.flush())
            return *std::move(failed);
        return *std::move(ended);
    }
    while (!ended) {
        ended = tick();
        if (ended)
            break;
        m_execution.matchCache();
        ended = m_execution.execute();
        if (!ended)
            ended = afterTick();
    }
    const bool raises = ended->kind != LoopEnd::Kind::Done && ended->kind != LoopEnd::Kind::OutOfSteps;
    const bool keepsHistory = m_loop.place.ns.find(':') == std::string::npos;
    if (m_loop.savesAtExit && (!m_loop.place.nested || raises || keepsHistory))
        m_saver.saveAtExit(m_execution.isAnswerDropped());
    m_saver.saveCompanionAtEnd(*ended);
    if (ended->kind == LoopEnd::Kind::Interrupted && !m_loop.place.nested)
        if (auto failed = finishInterrupted(*ended))
            ended = std::move(failed);
    if (!m_loop.place.nested || raises)
        if (auto failed = m_loop.flush())
            return *std::move(failed);
    return *std::move(ended);
}

Ended RunLoop::tick()
{
    prepareTasks();
    if (m_loop.limits.step > m_loop.limits.stop) {
        LoopEnd end = failedWith(
            { "GraphRecursionError",
              "Recursion limit of " + std::to_string(m_loop.run.recursionLimit)
                  + " reached without hitting a stop condition. You can increase the limit by setting the "
                    "`recursion_limit` config key.\nFor troubleshooting, visit: "
                    "https://docs.langchain.com/oss/python/langgraph/errors/GRAPH_RECURSION_LIMIT" });
        end.kind = LoopEnd::Kind::OutOfSteps;
        return end;
    }
    if (m_loop.tasks.list.empty())
        return LoopEnd{};
    if (!m_loop.isReplaying && !m_loop.tasks.pending.empty()) {
        reapplyFinished();
        m_errors.resume();
    }
    if (!m_before.empty() && interruptsAt(m_before))
        return LoopEnd{ LoopEnd::Kind::Interrupted };
    if (m_loop.run.options.stop.stop_requested())
        return LoopEnd{ LoopEnd::Kind::Stopped };
    if (!m_loop.place.nested && m_loop.run.options.pause.stop_requested())
        return LoopEnd{ LoopEnd::Kind::Interrupted };
    if (m_output.stream().wantsDetail(StreamMode::Tasks))
        m_loop.tasks.each([this](Task& task) {
            m_loop.taskId(task);
            m_output.stream().taskStarts(task, m_loop.limits.step);
        });
    m_loop.tasks.each([this](Task& task) {
        if (!task.writes.empty())
            m_output.taskWrote(task, task.writes, true);
    });
    return std::nullopt;
}

void RunLoop::prepareTasks()
{
    planTasks(m_loop.channels, m_loop.limits, m_loop.updatedKnown ? &m_loop.updated : nullptr,
              m_loop.tasks.list);
    m_loop.tasks.handlers.clear();
    m_loop.tasks.ids.reset();
    m_loop.tasks.planned = true;
    m_execution.stepPlanned();
    m_output.stepPlanned();
}

void RunLoop::reapplyFinished()
{
    const TaskStatuses statuses(m_loop.tasks.pending);
    for (Task& task : m_loop.tasks.list)
        if (const TaskStatus* status = statuses.find(m_loop.taskId(task))) {
            task.writes = status->output;
            m_deltas.gaveBack(task.id);
        }
}

bool RunLoop::interruptsAt(const NodeSelection& selection)
{
    if (!m_loop.channels.changedSinceInterrupt())
        return false;
    BreakpointConditions conditions(selection,
                                    [this] { return m_loop.channels.values(m_loop.graph.stream); });
    const auto holds = [&](Task& task) {
        const auto node = static_cast<std::size_t>(task.node);
        if (selection.all ? task.node == 0 : !selection.nodes[node])
            return false;
        const TaskInfo info{ m_loop.run.options.thread,
                             m_loop.run.options.run,
                             m_loop.graph.node(task.node).name,
                             {},
                             m_loop.place.ns,
                             {},
                             m_loop.limits.step };
        return conditions.hold(task.node, info);
    };
    const bool pauses =
        std::ranges::any_of(m_loop.tasks.list, holds) || std::ranges::any_of(m_loop.tasks.handlers, holds);
    for (const BreakpointConditions::Fault& fault : conditions.faults())
        m_loop.run.publisher.publish(LogLine{ {},
                                              fault.node,
                                              m_loop.limits.step,
                                              LogLine::Stream::Event,
                                              "the condition of the breakpoint at '" + fault.node.value
                                                  + "' failed, so it pauses: " + fault.message + "\n" });
    return pauses;
}

Ended RunLoop::applyTasks(ChannelSet& updated)
{
    m_applied.clear();
    std::vector<Writes> copies;
    if (m_loop.savesAtExit) { // what this superstep recorded may still be stored
        copies.reserve(m_loop.tasks.list.size() + m_loop.tasks.handlers.size());
        m_loop.tasks.each([&copies](const Task& task) { copies.push_back(task.writes); });
    }
    std::size_t place = 0;
    m_loop.tasks.each([&](Task& task) {
        m_applied.push_back(
            { task.path, task.node, task.triggered, m_loop.savesAtExit ? &copies[place++] : &task.writes });
    });
    if (auto error = applyWrites(m_loop.channels, m_applied, &m_loop.versions, updated))
        return failedWith(*std::move(error));
    return std::nullopt;
}

Ended RunLoop::afterTick()
{
    m_deltas.beforeFold();
    bool wroteOutput = false;
    m_loop.tasks.each([&](Task& task) {
        task.input = {}; // so that channels are the only owners of their values
        wroteOutput = wroteOutput || m_output.isWritten(task.writes);
    });
    m_output.stepEnds();
    m_updating.clear();
    if (auto failed = applyTasks(m_updating)) { // `updated` keeps what the step before updated
        m_output.stream().dropHeld();
        if (auto unsaved = m_loop.flush())
            return unsaved;
        m_output.showStored();
        return failed;
    }
    m_output.stream().release();
    m_deltas.afterFold();
    std::swap(m_loop.updated, m_updating);
    m_loop.updatedKnown = true;
    const bool isInputAlone =
        m_loop.tasks.list.size() == 1 && m_loop.tasks.list.front().node == 0; // no node ran
    if (m_loop.place.ns.empty() && !isInputAlone)
        ++m_loop.run.supersteps;
    if (wroteOutput && m_output.isChanged(m_loop.updated))
        m_output.emitValues();
    m_loop.tasks.pending.clear();
    m_loop.isReplaying = false;
    m_saver.save(checkpoint::Source::Loop);
    if (auto failed = m_loop.savesStepEnded())
        return failed;
    if (!m_after.empty() && interruptsAt(m_after)) {
        prepareTasks();
        return LoopEnd{ LoopEnd::Kind::Interrupted };
    }
    m_loop.resuming.reset();
    return std::nullopt;
}

// The run stops for an answer; its result shows what finished tasks wrote.
Ended RunLoop::finishInterrupted(const LoopEnd& end)
{
    bool wrote = false;
    bool recorded = !m_loop.tasks.pending.empty();
    m_loop.tasks.each([&](const Task& task) {
        wrote = wrote || !task.writes.empty();
        recorded = recorded || task.recorded;
    });
    if (m_loop.tasks.planned && recorded && wrote) {
        bool wroteOutput = false;
        m_loop.tasks.each(
            [&](const Task& task) { wroteOutput = wroteOutput || m_output.isWritten(task.writes); });
        ChannelSet updated(m_loop.graph.channels.size());
        if (auto failed = applyTasks(updated))
            return failed;
        if (wroteOutput && m_output.isChanged(updated))
            m_output.emitValues();
    }
    if (end.interrupts.empty())
        m_output.stream().emit(StreamMode::Updates, Value::map({ { kInterruptName, Value(ValueList()) } }));
    return std::nullopt;
}

} // namespace sg::engine
