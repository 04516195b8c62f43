#include "core/engine/engine.h"

#include "core/base/uuid.h"
#include "core/engine/errors/python_text.h"
#include "core/engine/loop/run_loop.h"
#include "core/engine/out/checkpoint_chunk.h"
#include "core/engine/reads/state_reader.h"
#include "core/engine/reads/state_writer.h"

#include <algorithm>
#include <array>

namespace sg::engine {
namespace {

constexpr std::array<std::string_view, kStreamModes> kModes{ "values", "updates", "tasks",   "checkpoints",
                                                             "debug",  "custom",  "messages" };

RunStatus statusOf(LoopEnd::Kind kind)
{
    switch (kind) {
    case LoopEnd::Kind::Done: return RunStatus::Done;
    case LoopEnd::Kind::Interrupted: return RunStatus::Interrupted;
    case LoopEnd::Kind::Failed:
    case LoopEnd::Kind::Command: return RunStatus::Failed;
    case LoopEnd::Kind::OutOfSteps: return RunStatus::RecursionLimit;
    case LoopEnd::Kind::Stopped: return RunStatus::Stopped;
    }
    return RunStatus::Failed;
}

std::vector<PendingInterrupt> pendingOf(const std::vector<RaisedInterrupt>& raised)
{
    std::vector<PendingInterrupt> out;
    out.reserve(raised.size());
    for (const auto& [told, node, task] : raised)
        out.push_back({ told.stringOr("id", ""), told["value"], node, task });
    return out;
}

ValueList tasksValue(const std::vector<StateTask>& tasks)
{
    ValueList out;
    for (const StateTask& task : tasks) {
        Value state;
        if (task.state)
            state = toValue(*task.state);
        else if (task.stateNs)
            state = Value::map({ { "checkpoint_ns", *task.stateNs } });
        out.push_back(Value::map({ { "id", task.id.value },
                                   { "name", task.name.value },
                                   { "path", task.path },
                                   { "error", task.error },
                                   { "interrupts", Value(task.interrupts) },
                                   { "result", task.result.value_or(Value()) },
                                   { "state", std::move(state) } }));
    }
    return out;
}

// Makes a run's result from the end of its root loop.
RunResult resultOf(RunLoop& loop, LoopEnd& end)
{
    RunResult result;
    result.status = statusOf(end.kind);
    result.values = loop.output();
    result.interrupts = pendingOf(loop.raisedInterrupts());
    if (!result.interrupts.empty()) {
        if (!result.values.isMap())
            result.values = Value(ValueMap());
        ValueList told;
        for (const RaisedInterrupt& raised : loop.raisedInterrupts())
            told.push_back(raised.told);
        result.values.editMap().set(kInterruptName, Value(std::move(told)));
    }
    result.errorType = std::move(end.failure.type);
    result.error = std::move(end.failure.message);
    result.detail = std::move(end.failure.detail);
    result.failedNode = std::move(end.failedNode);
    result.head = loop.head();
    return result;
}

std::optional<FirstFailure> earlier(const std::optional<FirstFailure>& first, const std::string& errorType,
                                    const std::string& error)
{
    const bool isTold = !first || (first->errorType == errorType && first->error == error);
    return isTold || (errorType.empty() && error.empty()) ? std::nullopt : first;
}

} // namespace

std::optional<FirstFailure> earlierFailure(const RunFinished& end)
{
    return earlier(end.firstFailure, end.errorType, end.error);
}

std::optional<FirstFailure> earlierFailure(const RunResult& result)
{
    return earlier(result.firstFailure, result.errorType, result.error);
}

Value toValue(const StateSnapshot& snapshot)
{
    ValueList next;
    for (const NodeId& node : snapshot.next)
        next.emplace_back(node.value);
    return Value::map({ { "values", snapshot.values },
                        { "next", Value(std::move(next)) },
                        { "config", configValue(snapshot.config) },
                        { "metadata", snapshot.metadata.value_or(Value()) },
                        { "created_at", snapshot.createdAt.empty() ? Value() : Value(snapshot.createdAt) },
                        { "parent_config", snapshot.parent ? configValue(*snapshot.parent) : Value() },
                        { "tasks", Value(tasksValue(snapshot.tasks)) },
                        { "interrupts", Value(snapshot.interrupts) } });
}

Durability durabilityOf(const graph::Graph& graph)
{
    return kindNamed<Durability>(graph.durability).value_or(Durability::Sync);
}

RunInput RunInput::input(Value value)
{
    return { Kind::Input, std::move(value) };
}

RunInput RunInput::goOn()
{
    return {};
}

RunInput RunInput::resume(Value answer)
{
    checkpoint::CommandView command;
    command.resume = std::move(answer);
    return { Kind::Command, checkpoint::makeCommand(command) };
}

RunInput RunInput::resumeById(ValueMap answers)
{
    return resume(Value(std::move(answers)));
}

RunInput RunInput::command(Value command)
{
    return { Kind::Command, std::move(command) };
}

struct Engine::State {
    Program program;
    Services services;
    Uuid6Source ids;

    State(Program compiled, const Services& world)
        : program(std::move(compiled))
        , services(world)
        , ids(world.clock, world.random)
    {
    }
};

Engine::Engine(Program program, Services services)
    : m_state(std::make_unique<State>(std::move(program), services))
{
}

Engine::~Engine() = default;

RunResult Engine::run(const RunInput& input, const RunOptions& asked, const EventListener& listener)
{
    const Services& services = m_state->services;
    const CompiledGraph& graph = m_state->program.graph();
    RunOptions options = asked;
    if (options.run.empty())
        options.run = RunId(uuidText(uuid4(services.random)));
    if (!options.ns.empty()) // LangGraph runs the root graph whatever namespace is given
        options.checkpoint.reset();
    RunPublisher publisher(listener, services.clock, options.thread, options.run);
    std::optional<SaveQueue> saves;
    if (services.store != nullptr)
        saves.emplace(*services.store, options.durability);
    RunContext run(options, services, m_state->ids, publisher, saves ? &*saves : nullptr);
    for (std::size_t i = 0; i < kStreamModes; ++i)
        run.modes[i] = std::ranges::find(options.streamModes, kModes[i]) != options.streamModes.end();
    run.recursionLimit =
        options.recursionLimit.value_or(graph.recursionLimit.value_or(kDefaultRecursionLimit));
    run.durability = options.durability;
    run.storedMetadata = callerMetadata(options);
    if (publisher.isHeard())
        publisher.publish(RunStarted{ graph.name });
    const SteadyTime start = services.clock.steady();

    LoopPlace place;
    place.stores = saves.has_value();
    place.streams = true;
    place.checkpoint = options.checkpoint;
    RunLoop loop(graph, run, std::move(place), input.value);
    LoopEnd end;
    if (run.recursionLimit < 1) {
        end = failedWith(failed("ValueError", "recursion_limit must be at least 1"));
    } else {
        end = loop.run();
    }
    if (end.kind == LoopEnd::Kind::Command)
        end.failure = failed("ParentCommand", pythonRepr(checkpoint::makeCommand(end.command)));

    RunResult result = resultOf(loop, end);
    result.run = options.run;
    result.firstFailure = run.firstFailure.failure();
    result.supersteps = run.supersteps;
    if (publisher.isHeard())
        publisher.publish(RunFinished{ result.status, result.error, result.errorType, result.failedNode,
                                       result.detail, result.supersteps,
                                       std::chrono::duration<double>(services.clock.steady() - start).count(),
                                       result.firstFailure });
    return result;
}

Outcome<StateSnapshot> Engine::getState(const StateAddress& at, bool subgraphs)
{
    return StateReader(m_state->program.graph(), m_state->services).state(at, subgraphs);
}

std::optional<Failure> Engine::history(const HistoryQuery& query,
                                       const std::function<bool(const StateSnapshot&)>& visit)
{
    return StateReader(m_state->program.graph(), m_state->services).history(query, visit);
}

Outcome<SnapshotConfig> Engine::updateState(const StateAddress& at, const StateUpdate& update)
{
    return bulkUpdateState(at, { { update } });
}

Outcome<SnapshotConfig> Engine::bulkUpdateState(const StateAddress& at,
                                                const std::vector<std::vector<StateUpdate>>& steps)
{
    return StateWriter(m_state->program.graph(), m_state->services, m_state->ids).update(at, steps);
}

} // namespace sg::engine
