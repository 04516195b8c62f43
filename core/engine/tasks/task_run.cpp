#include "core/engine/tasks/task_run.h"

#include "core/engine/errors/error_types.h"
#include "core/engine/errors/python_text.h"
#include "core/engine/steps/task_ids.h"
#include "core/engine/tasks/message_stream.h"

#include <cmath>

namespace sg::engine {

namespace {

// Adds the failure that the handler was called for, which nobody would see otherwise.
void addHandled(const HandledError& handled, Failure& failure)
{
    const Failure& cause = handled.failure;
    const bool isTyped = cause.type != "str";
    failure.detail += (failure.detail.empty() ? "" : "\n")
        + std::string("while it handled the failure of node '") + handled.node
        + "': " + (isTyped ? cause.type + ": " : std::string()) + cause.message;
}

} // namespace

TaskRun::TaskRun(Host& host, RunContext& run, Task& task, Answers& answers)
    : m_host(host)
    , m_run(run)
    , m_task(task)
    , m_answers(answers)
    , m_node(host.state().graph().node(task.node))
    , m_input(&task.input)
{
}

TaskEnd TaskRun::execute()
{
    while (true) {
        m_task.writes.clear();
        m_task.dropped.clear();
        m_task.attempts = m_attempt;
        m_bubble.reset();
        TaskEnd end = attempt();
        if (end.kind == TaskEnd::Kind::Command && takeCommand(end))
            return end;
        if (end.kind != TaskEnd::Kind::Failed)
            return end;
        if (m_run.options.stop.stop_requested()) {
            end.kind = TaskEnd::Kind::Stopped; // a body that was told to stop may end in any way
            return end;
        }
        if (!retry(*end.failure))
            return end;
    }
}

TaskEnd TaskRun::attempt()
{
    if (m_task.node == 0)
        return writeResult(m_task.input);
    if (m_node.body)
        return runBody();
    TaskEnd end = m_host.runNested(*this, m_task.input); // the subgraph is the node
    if (end.kind != TaskEnd::Kind::Done)
        return end;
    return writeResult(end.value);
}

TaskEnd TaskRun::runBody()
{
    if (!m_task.handles) {
        if (streamsMessages())
            noteMessages(m_task.input, m_run.seenMessages);
        NodeOutcome outcome = m_node.body->run(*this);
        if (auto* returned = std::get_if<Returned>(&outcome); returned != nullptr && streamsMessages())
            for (Value& message : newMessages(returned->value, m_run.seenMessages, m_run.services.random))
                emitMessage(std::move(message), {});
        return finish(std::move(outcome));
    }
    const Value input = handlerInput();
    m_input = &input;
    m_handled = m_task.handles.get();
    NodeOutcome outcome = m_node.body->run(*this);
    m_input = &m_task.input;
    m_handled = nullptr;
    TaskEnd end = finish(std::move(outcome));
    if (end.kind == TaskEnd::Kind::Failed)
        addHandled(*m_task.handles, *end.failure);
    return end;
}

TaskEnd TaskRun::finish(NodeOutcome outcome)
{
    if (auto* failure = std::get_if<Failure>(&outcome))
        return TaskEnd::failed(std::move(*failure));
    if (std::holds_alternative<Interrupted>(outcome)) {
        if (m_bubble)
            return *std::move(m_bubble);
        TaskEnd end;
        end.kind = TaskEnd::Kind::Asked;
        return end;
    }
    return writeResult(std::get<Returned>(outcome).value);
}

TaskEnd TaskRun::writeResult(const Value& returned)
{
    const WriterScene scene{
        m_host.state(),        m_node,
        m_host.limits(),       m_host.runsAlone(),
        m_run.services.random, [this](NodeBody& body, const Value& input) { return runBranch(body, input); },
        &m_task.dropped
    };
    // Branches see the state with this task's writes in it. lend() makes it without copying a long list,
    // unless the input shares the list. The input is needed again only if the task does not end well.
    const bool drops = scene.alone && !m_node.branches.empty() && canReadInputAgain();
    if (drops)
        m_task.input = {};
    TaskEnd end = runWriters(scene, returned, m_task.writes);
    if (drops && end.kind != TaskEnd::Kind::Done)
        m_task.input = readState(m_host.state(), *m_node.reads, m_host.limits());
    if (end.kind == TaskEnd::Kind::Asked && m_bubble)
        return *std::move(m_bubble);
    return end;
}

bool TaskRun::canReadInputAgain() const
{
    return m_task.path.kind == TaskPath::Kind::Pull && m_task.node != 0 && !m_task.handles;
}

NodeOutcome TaskRun::runBranch(NodeBody& body, const Value& input)
{
    m_input = &input;
    NodeOutcome outcome = body.run(*this);
    m_input = &m_task.input;
    return outcome;
}

// A nested graph's Command for this task's graph: its update and goto count as the task's result.
bool TaskRun::takeCommand(TaskEnd& end)
{
    const std::string ns = taskNs();
    const Value graph = end.command->graph;
    const std::string target = graph.isString() ? graph.asString() : std::string();
    if (target == ns || target == plainNamespace(ns) || target == m_node.name.value) {
        end = writeResult(checkpoint::makeCommand(*end.command));
        return true;
    }
    if (target == kParentGraph)
        end.command->graph = Value(parentNamespace(ns));
    return false;
}

bool TaskRun::retry(const Failure& failure)
{
    const graph::RetryPolicy* policy =
        failure.retryable ? matchingPolicy(m_node.retry, failure.type) : nullptr;
    if (policy == nullptr || m_attempt >= policy->maxAttempts)
        return false;
    double seconds = std::min(policy->maxInterval,
                              policy->initialInterval * std::pow(policy->backoffFactor, m_attempt - 1));
    if (policy->jitter)
        seconds += static_cast<double>(m_run.services.random.next() >> 11) / 9007199254740992.0;
    ++m_attempt;
    if (m_run.publisher.isHeard())
        m_run.publisher.publish(TaskRetrying{ TaskId(m_host.taskId(m_task)), m_node.name, m_attempt, seconds,
                                              failure.type + ": " + failure.message });
    const auto end = m_run.services.clock.steady() + std::chrono::duration<double>(seconds);
    while (!m_run.options.stop.stop_requested()) {
        const auto left = std::chrono::duration_cast<Millis>(end - m_run.services.clock.steady());
        if (left.count() <= 0)
            break;
        m_run.services.clock.sleep(std::min(left, Millis(50)));
    }
    m_answers.restart();
    m_info.reset();
    return true;
}

Value TaskRun::handlerInput() const
{
    const HandledError& handled = *m_task.handles;
    return Value::map({ { "state", m_task.input },
                        { "error",
                          Value::map({ { "node", handled.node },
                                       { "type", handled.failure.type },
                                       { "message", handled.failure.message } }) } });
}

std::string TaskRun::taskNs() const
{
    return taskNamespace(m_task.ns.empty() ? m_host.ns() : m_task.ns, m_node.name.value,
                         m_host.taskId(m_task));
}

const TaskInfo& TaskRun::info() const
{
    if (!m_info) {
        const std::string& id = m_host.taskId(m_task);
        m_info = TaskInfo{ m_run.options.thread, m_run.options.run,    m_node.name, TaskId(id), taskNs(),
                           m_host.checkpoint(),  m_host.limits().step, m_attempt };
    }
    return *m_info;
}

TaskPlace TaskRun::place() const
{
    return { m_host.placeOf(m_task), m_task.path.kind == TaskPath::Kind::Push };
}

Value TaskRun::state() const
{
    return readState(m_host.state(), *m_node.reads, m_host.limits());
}

bool TaskRun::mayWrite(std::string_view channel) const
{
    const auto found = m_host.state().graph().findState(channel);
    return found && (!m_node.mayWrite || (*m_node.mayWrite)[static_cast<std::size_t>(*found)]);
}

Value TaskRun::config() const
{
    ValueMap configurable = m_run.options.configurable;
    configurable.set("thread_id", Value(info().thread.value));
    configurable.set("checkpoint_ns", Value(info().checkpointNs));
    configurable.set("checkpoint_id", {});
    ValueMap metadata = m_run.options.metadata;
    metadata.set("langgraph_step", Value(info().step));
    metadata.set("langgraph_node", Value(m_node.name.value));
    metadata.set("langgraph_triggers",
                 m_task.triggered == Triggered::ByNode ? sortedTriggers(m_host.state().graph(), m_node)
                                                       : Value::list({ kPushName }));
    metadata.set("langgraph_path", m_task.path.value(m_host.state().graph()));
    metadata.set("langgraph_checkpoint_ns", Value(info().checkpointNs));
    return Value::map({ { "configurable", Value(std::move(configurable)) },
                        { "metadata", Value(std::move(metadata)) },
                        { "recursion_limit", Value(m_run.recursionLimit) },
                        { "run_id", Value(m_run.options.run.value) } });
}

std::optional<Value> TaskRun::interrupt(const Value& value)
{
    if (auto given = m_answers.next()) {
        m_task.writes.push_back({ kResumeWrite, Value(std::move(given->recorded)), {} });
        return std::move(given->answer);
    }
    TaskEnd end;
    end.kind = TaskEnd::Kind::Asked;
    end.interrupts.push_back(checkpoint::makeInterrupt(value, interruptId(taskNs(), m_answers.count())));
    m_bubble = std::move(end);
    return std::nullopt;
}

std::optional<Value> TaskRun::runSubgraph(const Value& input)
{
    if (!m_node.subgraph) {
        m_bubble = TaskEnd::failed(
            engine::failed("RuntimeError", "node '" + m_node.name.value + "' has no subgraph to run"));
        return std::nullopt;
    }
    TaskEnd end = m_host.runNested(*this, input);
    if (end.kind == TaskEnd::Kind::Done)
        return std::move(end.value);
    m_bubble = std::move(end);
    return std::nullopt;
}

const Failure* TaskRun::subgraphFailure() const
{
    return m_bubble && m_bubble->kind == TaskEnd::Kind::Failed ? &*m_bubble->failure : nullptr;
}

void TaskRun::emitCustom(Value value)
{
    m_host.emitCustom(m_task, std::move(value));
}

// The metadata is that which LangGraph tells beside a message of the stream mode "messages".
void TaskRun::emitMessage(Value message, const ValueMap& about)
{
    if (!streamsMessages())
        return;
    if (const std::string id = messageId(message); !id.empty())
        m_run.seenMessages.add(id);
    ValueMap metadata{ { "thread_id", info().thread.value } };
    const Value told = config()["metadata"];
    for (const auto& [key, value] : told.asMap())
        metadata.set(key, value);
    // LangGraph sets it where a run begins, and nested runs inherit it: so it names the outermost task.
    const std::string& ns = info().checkpointNs;
    metadata.set("checkpoint_ns", ns.substr(0, ns.find('|')));
    for (const auto& [key, value] : about)
        metadata.set(key, value);
    m_host.emitMessage(std::move(message), Value(std::move(metadata)));
}

void TaskRun::log(Stream stream, std::string_view bytes)
{
    if (!m_run.publisher.isHeard())
        return;
    const auto kind = stream == Stream::Stdout ? LogLine::Stream::Stdout
        : stream == Stream::Stderr             ? LogLine::Stream::Stderr
                                               : LogLine::Stream::Event;
    m_run.publisher.publish(
        LogLine{ info().task, m_node.name, m_host.limits().step, kind, std::string(bytes) });
}

void TaskRun::warn(std::string_view line)
{
    if (m_run.publisher.isHeard())
        m_run.publisher.publish(LogLine{ info().task, m_node.name, m_host.limits().step,
                                         LogLine::Stream::Event, std::string(line), true });
}

void TaskRun::restored(Value&& how)
{
    if (m_run.publisher.isHeard())
        m_run.publisher.publish(
            SandboxRestored{ info().task, m_node.name, m_host.limits().step, std::move(how) });
}

std::string failureRepr(const Failure& failure)
{
    if (!failure.repr.empty())
        return failure.repr;
    return failure.type + "(" + pythonRepr(Value(failure.message)) + ")";
}

} // namespace sg::engine
