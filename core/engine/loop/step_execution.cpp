#include "core/engine/loop/step_execution.h"

#include "core/engine/errors/python_text.h"
#include "core/engine/loop/run_loop.h"
#include "core/engine/tasks/claimed_tasks.h"
#include "core/graph/near_name.h"

#include <algorithm>

namespace sg::engine {
namespace {

constexpr std::size_t kPreviewLength = 200;
constexpr std::string_view kBranchPrefix = "branch:to:";

std::string previewOf(const CompiledGraph& graph, const Task& task)
{
    std::string text;
    for (const Write& write : task.asked ? *task.asked : task.writes) {
        if (write.channel >= 0 && !graph.channel(write.channel).isState)
            continue;
        if (write.channel < 0 && write.channel != kInterruptWrite)
            continue;
        Value shown = write.value;
        if (write.channel == kInterruptWrite && shown.isList() && !shown.asList().empty())
            if (const auto interrupt = checkpoint::asInterrupt(shown[0]))
                shown = interrupt->value;
        text += (text.empty() ? "" : ", ") + writeChannelName(graph, write) + ": " + pythonRepr(shown);
        if (text.size() > kPreviewLength) {
            text.resize(kPreviewLength);
            while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0x80U) != 0)
                text.pop_back();
            return text + "…";
        }
    }
    return text;
}

TaskFinished::Outcome outcomeOf(TaskEnd::Kind kind)
{
    switch (kind) {
    case TaskEnd::Kind::Done:
    case TaskEnd::Kind::Command: return TaskFinished::Outcome::Done;
    case TaskEnd::Kind::Asked: return TaskFinished::Outcome::Interrupted;
    case TaskEnd::Kind::Failed: return TaskFinished::Outcome::Failed;
    case TaskEnd::Kind::Stopped: return TaskFinished::Outcome::Stopped;
    }
    return TaskFinished::Outcome::Done;
}

} // namespace

StepExecution::StepExecution(LoopState& loop, CheckpointSaver& saver, ErrorHandling& errors,
                             LoopOutput& output)
    : m_loop(loop)
    , m_saver(saver)
    , m_errors(errors)
    , m_output(output)
{
}

Ended StepExecution::execute()
{
    m_bad.clear();
    m_asked.clear();
    m_errors.dropFailures();
    m_storeFailure.reset();
    std::vector<Task*>& waiting = m_waiting;
    waiting.clear();
    bool blocks = false;
    m_loop.tasks.each([&](Task& task) {
        if (!task.writes.empty())
            return;
        waiting.push_back(&task);
        blocks = blocks || m_loop.graph.node(task.node).mayBlock;
    });
    m_unfinished = waiting.size();
    if (blocks)
        if (auto failed = m_loop.pushSaves()) // nothing may wait in memory for a slow task
            return failed;
    m_runsAlone = !blocks || waiting.size() < 2 || m_loop.run.services.pool == nullptr
        || m_loop.run.options.inlineTasks;
    if (waiting.size() == 1 && !m_loop.place.nested)
        m_output.stream().holdLoneTask();
    if (!m_runsAlone)
        runParallel(waiting);
    else
        runInline(waiting);
    const bool handles = m_errors.hasFailures();
    if (handles)
        runErrorHandlers();
    Ended ended = endOfTasks();
    if (ended || handles)
        m_output.stream().release();
    return ended;
}

void StepExecution::runInline(const std::vector<Task*>& tasks)
{
    for (Task* task : tasks) {
        if (m_loop.run.options.stop.stop_requested()) {
            m_stopped = true;
            return;
        }
        runOne(*task);
    }
}

void StepExecution::runParallel(const std::vector<Task*>& tasks)
{
    for (Task* task : tasks)
        m_loop.taskId(*task); // now, because ids are made on demand
    std::vector<Task*> blocking;
    for (Task* task : tasks)
        if (m_loop.graph.node(task->node).mayBlock)
            blocking.push_back(task);
    runClaimed(
        *m_loop.run.services.pool, blocking.size(),
        [this, &blocking](std::size_t i) {
            if (m_loop.run.options.stop.stop_requested()) {
                const std::lock_guard lock(m_mutex);
                m_stopped = true;
                return;
            }
            runOne(*blocking[i]);
        },
        [this, &tasks] {
            for (Task* task : tasks)
                if (!m_loop.graph.node(task->node).mayBlock)
                    runOne(*task);
        });
}

void StepExecution::runOne(Task& task)
{
    if (m_loop.run.publisher.isHeard() && task.node != 0) {
        runHeard(task);
        return;
    }
    Answers answers = answersFor(task);
    TaskEnd end = TaskRun(*this, m_loop.run, task, answers).execute();
    if (m_loop.run.publisher.isHeard() && end.kind == TaskEnd::Kind::Done)
        warnOfLosses(task);
    commit(task, std::move(end));
}

void StepExecution::runHeard(Task& task)
{
    const Clock& clock = m_loop.run.services.clock;
    const SteadyTime start = clock.steady();
    const RunTask told{ TaskId(m_loop.taskId(task)),
                        m_loop.graph.node(task.node).name,
                        m_loop.place.ns,
                        m_loop.limits.step,
                        m_loop.checkpoint(),
                        clock.now() };
    m_loop.run.publisher.publish(TaskStarted{ told });
    Answers answers = answersFor(task);
    TaskEnd end = TaskRun(*this, m_loop.run, task, answers).execute();
    const double seconds = std::chrono::duration<double>(clock.steady() - start).count();
    TaskFinished event{ told, outcomeOf(end.kind), std::max(seconds - task.waitedSeconds, 0.0) };
    event.attempts = task.attempts;
    if (end.kind == TaskEnd::Kind::Failed) {
        event.error = end.failure->type + ": " + end.failure->message;
        event.detail = end.failure->detail;
    }
    if (end.kind == TaskEnd::Kind::Done)
        warnOfLosses(task);
    commit(task, std::move(end));
    event.preview = previewOf(m_loop.graph, task);
    m_loop.run.publisher.publish(std::move(event));
}

// An unknown node as a target and an unknown key are no errors in LangGraph, but hardly intended.
void StepExecution::warnOfLosses(const Task& task)
{
    const auto warn = [&](const std::string& text) {
        m_loop.run.publisher.publish(LogLine{ TaskId(task.id), m_loop.graph.node(task.node).name,
                                              m_loop.limits.step, LogLine::Stream::Event, "warning: " + text,
                                              true });
    };
    std::vector<std::string_view> names;
    if (!task.dropped.empty())
        for (const std::int32_t channel : m_loop.graph.stream)
            names.emplace_back(m_loop.graph.channel(channel).name());
    for (const std::string& key : task.dropped) {
        {
            const std::lock_guard lock(m_mutex);
            if (!m_dropped.emplace(task.node, key).second)
                continue; // once a run: a node may run a thousand times
        }
        warn("it returned '" + key + "', which is no channel of the graph: its value was dropped"
             + graph::didYouMean(key, names));
    }
    for (const Write& write : task.writes) {
        std::string target;
        if (write.channel == kUnknownChannel && write.name.isString()
            && write.name.asString().starts_with(kBranchPrefix))
            target = write.name.asString().substr(kBranchPrefix.size());
        else if (write.channel == m_loop.graph.tasksChannel)
            if (const auto send = checkpoint::sendNode(write.value); send && !m_loop.graph.findNode(*send))
                target = *send;
        if (target.empty() || target == kEndNode)
            continue;
        warn("it goes on to '" + target + "', which is no node of the graph: ignored");
    }
}

void StepExecution::runErrorHandlers()
{
    const std::vector<Task*> handlers = m_errors.takeHandlers();
    m_unfinished += handlers.size();
    for (Task* handler : handlers)
        runOne(*handler);
}

Ended StepExecution::endOfTasks()
{
    if (m_storeFailure)
        return m_storeFailure;
    if (m_stopped)
        return LoopEnd{ LoopEnd::Kind::Stopped };
    if (!m_bad.empty()) {
        auto& first = *std::ranges::min_element(m_bad, {}, &BadEnd::order);
        LoopEnd end;
        end.kind = first.end.kind == TaskEnd::Kind::Command ? LoopEnd::Kind::Command : LoopEnd::Kind::Failed;
        if (first.end.failure)
            end.failure = std::move(*first.end.failure);
        if (first.end.command)
            end.command = std::move(*first.end.command);
        end.failedNode = first.node;
        return end;
    }
    if (m_asked.empty())
        return std::nullopt;
    std::ranges::sort(m_asked, {}, &std::pair<std::size_t, ValueList>::first);
    LoopEnd end;
    end.kind = LoopEnd::Kind::Interrupted;
    for (auto& [order, interrupts] : m_asked)
        end.interrupts.insert(end.interrupts.end(), interrupts.begin(), interrupts.end());
    return end;
}

std::size_t StepExecution::placeOf(const Task& task) const
{
    return m_loop.tasks.orderOf(task);
}

std::vector<NodeId> StepExecution::nodesOfSuperstep() const
{
    std::vector<NodeId> nodes;
    for (const Task& task : m_loop.tasks.list)
        nodes.push_back(m_loop.graph.node(task.node).name);
    return nodes;
}

TaskEnd StepExecution::runNested(TaskRun& task, const Value& input)
{
    const CompiledGraph& graph = *task.node().subgraph;
    LoopPlace place;
    place.nested = true;
    place.ns = task.taskNs();
    if (graph.checkpointer == graph::Checkpointer::Own)
        place.ns = ownNamespace(place.ns);
    if (const int call = task.answers().nextSubgraph(); call > 0)
        place.ns += '|' + std::to_string(call);
    place.ancestors = m_loop.place.ancestors;
    place.ancestors.set(Value(m_loop.place.ns), Value(m_loop.checkpoint().value));
    place.resuming = task.isRetry() ? std::optional(true) : m_loop.resuming;
    place.outerAnswers = &task.answers();
    place.stores = m_loop.run.saves != nullptr && graph.checkpointer != graph::Checkpointer::None;
    place.streams = m_loop.place.streams && m_loop.run.options.streamSubgraphs;
    RunLoop loop(graph, m_loop.run, std::move(place), input);
    LoopEnd ended = loop.run();
    TaskEnd end;
    switch (ended.kind) {
    case LoopEnd::Kind::Done: end.value = loop.output(); break;
    case LoopEnd::Kind::Interrupted:
        end.kind = TaskEnd::Kind::Asked;
        end.interrupts = std::move(ended.interrupts);
        break;
    case LoopEnd::Kind::Failed:
    case LoopEnd::Kind::OutOfSteps: end = TaskEnd::failed(std::move(ended.failure)); break;
    case LoopEnd::Kind::Command:
        end.kind = TaskEnd::Kind::Command;
        end.command = std::make_unique<checkpoint::CommandView>(std::move(ended.command));
        break;
    case LoopEnd::Kind::Stopped: end.kind = TaskEnd::Kind::Stopped; break;
    }
    return end;
}

void StepExecution::emitCustom(const Task& task, Value value)
{
    if (m_loop.run.publisher.isHeard())
        m_loop.run.publisher.publish(
            CustomEvent{ TaskId(task.id), m_loop.graph.node(task.node).name, value });
    m_output.stream().emitCustom(std::move(value));
}

void StepExecution::emitMessage(Value message, Value metadata)
{
    m_output.stream().emitMessage(std::move(message), std::move(metadata));
}

} // namespace sg::engine
