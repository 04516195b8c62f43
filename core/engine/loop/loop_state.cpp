#include "core/engine/loop/loop_state.h"

#include "core/engine/state/delta_history.h"

namespace sg::engine {
namespace {

Ended endOf(const Result<void>& done)
{
    return done ? std::nullopt : Ended(storeFailed(done.error()));
}

} // namespace

std::size_t PlannedTasks::orderOf(const Task& task)
{
    std::size_t order = 0;
    std::size_t i = 0;
    each([&](const Task& other) {
        if (&other == &task)
            order = i;
        ++i;
    });
    return order;
}

LoopState::LoopState(const CompiledGraph& compiled, RunContext& context, LoopPlace where)
    : graph(compiled)
    , run(context)
    , place(std::move(where))
    , versions(place.stores ? &run.services.random : nullptr)
    , savesAtExit(place.stores && run.durability == Durability::Exit)
    , channels(graph, run.services.random)
    , updated(graph.channels.size())
    , resuming(place.resuming)
{
}

const CheckpointId& LoopState::checkpoint()
{
    if (head.id.empty())
        head.id = CheckpointId(run.ids.next(head.idStep));
    return head.id;
}

const std::shared_ptr<const checkpoint::CheckpointRef>& LoopState::sharedRef()
{
    if (!head.ref || head.ref->id != checkpoint())
        head.ref = std::make_shared<const checkpoint::CheckpointRef>(refOf(checkpoint()));
    return head.ref;
}

checkpoint::CheckpointRef LoopState::refOf(const CheckpointId& id) const
{
    return { run.options.thread, place.ns, id };
}

const std::string& LoopState::taskId(Task& task)
{
    if (task.id.empty()) {
        if (!tasks.ids)
            tasks.ids.emplace(checkpoint(), head.version, place.ns, limits.step);
        task.id = tasks.ids->of(graph, task);
    }
    return task.id;
}

std::optional<GraphState> LoopState::storedChannels() const
{
    if (!place.stores || !head.saved)
        return std::nullopt;
    const auto record = run.saves->store().get(run.options.thread, place.ns, head.saved);
    if (!record || !*record)
        return std::nullopt;
    GraphState stored(graph, run.services.random);
    stored.load((*record)->checkpoint);
    if (replayDeltaChannels(stored, **record, run.saves->store()))
        return std::nullopt;
    return stored;
}

Ended LoopState::flush() const
{
    return run.saves != nullptr ? endOf(run.saves->flush()) : std::nullopt;
}

Ended LoopState::pushSaves() const
{
    return run.saves != nullptr ? endOf(run.saves->push()) : std::nullopt;
}

Ended LoopState::savesStepEnded() const
{
    return run.saves != nullptr && place.stores ? endOf(run.saves->stepEnded()) : std::nullopt;
}

} // namespace sg::engine
