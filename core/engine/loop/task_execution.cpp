#include "core/engine/errors/python_text.h"
#include "core/engine/loop/run_loop.h"
#include "core/engine/tasks/claimed_tasks.h"
#include "core/graph/near_name.h"

#include <algorithm>

// The tasks of a superstep: those that cannot block run on the run's own thread, the others in parallel. Each
// one's writes are recorded when it is done; one that fails does not stop the others.
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

} // namespace

Ended RunLoop::execute()
{
    m_bad.clear();
    m_asked.clear();
    m_toHandle.clear();
    m_storeFailure.reset();
    std::vector<Task*>& waiting = m_waiting;
    waiting.clear();
    bool blocks = false;
    eachTask([&](Task& task) {
        if (!task.writes.empty())
            return;
        waiting.push_back(&task);
        blocks = blocks || m_graph.node(task.node).mayBlock;
    });
    m_unfinished = waiting.size();
    if (blocks)
        if (auto failed = pushSaves()) // nothing waits in memory for a task that may take its time
            return failed;
    m_runsAlone =
        !blocks || waiting.size() < 2 || m_run.services.pool == nullptr || m_run.options.inlineTasks;
    if (waiting.size() == 1 && !m_place.nested)
        m_stream.holdLoneTask();
    if (!m_runsAlone)
        runParallel(waiting);
    else
        runInline(waiting);
    const bool handles = !m_toHandle.empty();
    runErrorHandlers();
    Ended ended = endOfTasks();
    if (ended || handles)
        m_stream.release();
    return ended;
}

void RunLoop::runInline(const std::vector<Task*>& tasks)
{
    for (Task* task : tasks) {
        if (m_run.options.stop.stop_requested()) {
            m_stopped = true;
            return;
        }
        runOne(*task);
    }
}

void RunLoop::runParallel(const std::vector<Task*>& tasks)
{
    for (Task* task : tasks)
        taskId(*task); // now, because ids are made on demand
    std::vector<Task*> blocking;
    for (Task* task : tasks)
        if (m_graph.node(task->node).mayBlock)
            blocking.push_back(task);
    runClaimed(
        *m_run.services.pool, blocking.size(),
        [this, &blocking](std::size_t i) {
            if (m_run.options.stop.stop_requested()) {
                const std::lock_guard lock(m_mutex);
                m_stopped = true;
                return;
            }
            runOne(*blocking[i]);
        },
        [this, &tasks] {
            for (Task* task : tasks)
                if (!m_graph.node(task->node).mayBlock)
                    runOne(*task);
        });
}

void RunLoop::runOne(Task& task)
{
    if (m_run.publisher.isHeard() && task.node != 0) {
        runHeard(task);
        return;
    }
    Answers answers = answersFor(task);
    TaskEnd end = TaskRun(*this, m_run, task, answers).execute();
    if (m_run.publisher.isHeard() && end.kind == TaskEnd::Kind::Done)
        warnOfLosses(task);
    commit(task, std::move(end));
}

void RunLoop::runHeard(Task& task)
{
    const SteadyTime start = m_run.services.clock.steady();
    m_run.publisher.publish(TaskStarted{ TaskId(taskId(task)), m_graph.node(task.node).name, m_limits.step, 1,
                                         checkpoint(), m_place.ns });
    Answers answers = answersFor(task);
    TaskEnd end = TaskRun(*this, m_run, task, answers).execute();
    TaskFinished event;
    event.task = TaskId(task.id);
    event.node = m_graph.node(task.node).name;
    event.step = m_limits.step;
    event.attempts = task.attempts;
    event.seconds = std::chrono::duration<double>(m_run.services.clock.steady() - start).count();
    event.ns = m_place.ns;
    event.outcome = end.kind == TaskEnd::Kind::Failed ? TaskFinished::Outcome::Failed
        : end.kind == TaskEnd::Kind::Asked || end.kind == TaskEnd::Kind::Stopped
        ? TaskFinished::Outcome::Interrupted
        : TaskFinished::Outcome::Done;
    if (end.kind == TaskEnd::Kind::Failed) {
        event.error = end.failure->type + ": " + end.failure->message;
        event.detail = end.failure->detail;
    }
    if (end.kind == TaskEnd::Kind::Done)
        warnOfLosses(task);
    commit(task, std::move(end));
    event.preview = previewOf(m_graph, task);
    m_run.publisher.publish(std::move(event));
}

// Going to a node that is not there, and writing what the state does not have, is no error in LangGraph, but
// hardly what was meant.
void RunLoop::warnOfLosses(const Task& task)
{
    const auto warn = [&](const std::string& text) {
        m_run.publisher.publish(LogLine{ TaskId(task.id), m_graph.node(task.node).name, m_limits.step,
                                         LogLine::Stream::Event, "warning: " + text });
    };
    std::vector<std::string_view> names;
    if (!task.dropped.empty())
        for (const std::int32_t channel : m_graph.stream)
            names.emplace_back(m_graph.channel(channel).name());
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
        else if (write.channel == m_graph.tasksChannel)
            if (const auto send = checkpoint::sendNode(write.value); send && !m_graph.findNode(*send))
                target = *send;
        if (target.empty() || target == kEndNode)
            continue;
        warn("it goes on to '" + target + "', which is no node of the graph: ignored");
    }
}

Answers RunLoop::answersFor(Task& task)
{
    std::vector<Value> given;
    std::shared_ptr<SingleAnswer> single;
    if (m_hadPending) {
        const std::lock_guard lock(m_mutex);
        const std::string& id = taskId(task);
        const auto stored = std::ranges::find_if(m_pending, [&id](const Pending& each) {
            return each.taskId == id && each.write.channel == kResumeWrite;
        });
        if (stored != m_pending.end())
            given = stored->write.value.isList() ? stored->write.value.asList()
                                                 : ValueList{ stored->write.value };
        if (m_run.resumeMap && !m_run.resumeMap->empty()) {
            const std::string ns =
                taskNamespace(task.ns.empty() ? m_place.ns : task.ns, m_graph.node(task.node).name.value, id);
            const Value* answer = m_run.resumeMap->find(interruptId(ns, given.size()));
            if (answer == nullptr) // older versions gave all of a task's interrupts the first id
                answer = m_run.resumeMap->find(interruptId(ns, 0));
            if (answer != nullptr)
                given.push_back(*answer);
        }
        single = m_single;
    }
    return Answers(std::move(given), std::move(single), m_place.outerAnswers);
}

void RunLoop::commit(Task& task, TaskEnd end)
{
    const std::lock_guard lock(m_mutex);
    switch (end.kind) {
    case TaskEnd::Kind::Done:
        if (allControl(task.writes)) // so that it counts as finished
            task.writes.push_back({ kNoWritesWrite, {}, {} });
        recordWrites(task, false);
        if (m_run.services.companion != nullptr && m_place.stores && !m_exitMode)
            m_run.saves->addBeside(m_run.services.companion->taskDone(TaskId(taskId(task))));
        break;
    case TaskEnd::Kind::Asked:
        if (!end.interrupts.empty()) {
            task.asked = Writes{ { kInterruptWrite, Value(end.interrupts), {} } };
            for (const Write& write : task.writes)
                if (write.channel == kResumeWrite)
                    task.asked->push_back(write);
            recordWrites(task, false);
        }
        m_asked.emplace_back(orderOf(task), std::move(end.interrupts));
        break;
    case TaskEnd::Kind::Failed: {
        const CompiledNode& node = m_graph.node(task.node);
        const Failure& failure = *end.failure;
        task.writes.push_back(
            { kErrorWrite, raisedError(failure.type, failure.message, failureRepr(failure)), {} });
        if (node.errorHandler)
            task.writes.push_back({ kErrorSourceWrite, node.key, {} });
        recordWrites(task, false);
        if (node.errorHandler)
            m_toHandle.emplace_back(&task, std::move(*end.failure));
        else
            m_bad.push_back({ orderOf(task), std::move(end), node.name });
        break;
    }
    case TaskEnd::Kind::Command: m_bad.push_back({ orderOf(task), std::move(end), {} }); break;
    case TaskEnd::Kind::Stopped:
        task.writes.clear();
        m_stopped = true;
        break;
    }
    --m_unfinished;
    // What this one did must not wait for those that still run. The last one's writes go with the checkpoint.
    if (m_graph.node(task.node).mayBlock && m_unfinished > 0 && !m_storeFailure)
        m_storeFailure = pushSaves();
}

std::size_t RunLoop::orderOf(const Task& task)
{
    std::size_t order = 0;
    std::size_t i = 0;
    eachTask([&](const Task& each) {
        if (&each == &task)
            order = i;
        ++i;
    });
    return order;
}

void RunLoop::runErrorHandlers()
{
    auto failed = std::exchange(m_toHandle, {});
    std::ranges::sort(failed, {}, [this](const auto& entry) { return orderOf(*entry.first); });
    m_unfinished += failed.size();
    for (auto& [task, failure] : failed) {
        taskId(*task);
        Task& handler = addHandler(*task, *m_graph.node(task->node).errorHandler,
                                   { m_graph.node(task->node).name.value, failure.type, failure.message,
                                     failureRepr(failure), failure.raised });
        runOne(handler);
    }
}

Ended RunLoop::endOfTasks()
{
    if (m_storeFailure)
        return m_storeFailure;
    if (m_stopped)
        return LoopEnd{ LoopEnd::Kind::Stopped, {}, {}, {}, {} };
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

TaskEnd RunLoop::runNested(TaskRun& task, const Value& input)
{
    const CompiledGraph& graph = *task.node().subgraph;
    LoopPlace place;
    place.nested = true;
    place.ns = task.taskNs();
    if (graph.checkpointer == graph::Checkpointer::Own)
        place.ns = ownNamespace(place.ns);
    if (const int call = task.answers().nextSubgraph(); call > 0)
        place.ns += '|' + std::to_string(call);
    place.ancestors = m_place.ancestors;
    place.ancestors.set(Value(m_place.ns), Value(checkpoint().value));
    place.resuming = task.isRetry() ? std::optional(true) : m_resuming;
    place.outerAnswers = &task.answers();
    place.stores = m_run.saves != nullptr && graph.checkpointer != graph::Checkpointer::None;
    place.streams = m_place.streams && m_run.options.streamSubgraphs;
    RunLoop loop(graph, m_run, std::move(place), input);
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

void RunLoop::emitCustom(const Task& task, Value value)
{
    if (m_run.publisher.isHeard())
        m_run.publisher.publish(CustomEvent{ TaskId(task.id), m_graph.node(task.node).name, value });
    m_stream.emitCustom(std::move(value));
}

} // namespace sg::engine
