#include "tests/fault/workflow_run.h"

#include <cstdio>
#include <cstdlib>

namespace sg::fault {
namespace {

using engine::RunInput;
using engine::RunResult;

RunInput answersTo(const std::vector<engine::PendingInterrupt>& interrupts)
{
    ValueMap answers;
    for (const auto& each : interrupts)
        answers.set(Value(each.id), Value(kAnswer));
    return RunInput::resumeById(std::move(answers));
}

RunResult failed(const std::string& error)
{
    RunResult result;
    result.status = RunStatus::Failed;
    result.error = error;
    return result;
}

} // namespace

RunResult runToEnd(const Workflow& workflow, checkpoint::CheckpointStore& store, Journal* journal,
                   ThreadPool* pool)
{
    WorkNodes nodes(journal);
    auto program = engine::compile(workflow.graph, nodes);
    if (!program)
        return failed(program.error().message);
    const SystemClock clock;
    SystemRandom random;
    engine::Engine engine(*std::move(program), { &store, clock, random, pool });
    engine::RunOptions options;
    options.thread = ThreadId(kThread);
    options.durability = engine::Durability::Sync;
    options.inlineTasks = pool == nullptr;

    auto head = store.get(options.thread, "", std::nullopt);
    if (!head)
        return failed(head.error().message);
    RunResult result = engine.run(*head ? RunInput::goOn() : RunInput::input(workflow.input), options);
    while (result.status == RunStatus::Interrupted)
        result = engine.run(answersTo(result.interrupts), options);
    return result;
}

} // namespace sg::fault
