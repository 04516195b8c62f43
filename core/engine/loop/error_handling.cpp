#include "core/engine/loop/error_handling.h"

#include "core/engine/errors/stored_error.h"
#include "core/engine/steps/apply_writes.h"
#include "core/engine/steps/task_end.h"

#include <algorithm>

namespace sg::engine {
namespace {

// Tells whether the superstep ended with neither a question nor a failure: its process died in the middle.
bool wasBrokenOff(const std::vector<Pending>& pending)
{
    return std::ranges::none_of(pending, [&pending](const Pending& each) {
        if (each.write.channel != kErrorWrite)
            return each.write.channel == kInterruptWrite;
        return std::ranges::none_of(pending, [&each](const Pending& other) {
            return other.taskId == each.taskId && other.write.channel == kErrorSourceWrite;
        });
    });
}

HandledError handledError(const std::string& node, const Value& stored, bool asItWas)
{
    if (stored.isMap())
        return { node, { stored.stringOr("type", ""), stored.stringOr("message", "") } };
    const std::string text = stored.isString() ? stored.asString() : std::string();
    if (asItWas)
        if (auto error = parseStoredError(text))
            return { node, *std::move(error) };
    return { node, { "str", text } };
}

} // namespace

ErrorHandling::ErrorHandling(LoopState& loop, DeltaSaving& deltas)
    : m_loop(loop)
    , m_deltas(deltas)
{
}

// A task that failed before and has an error handler is not tried again: its handler is. LangGraph runs a
// handler anew even if it has finished, and hands it the stored text of the error. We do the same for
// supersteps that ended with a question or a failure; a superstep that was broken off goes on where it was.
void ErrorHandling::resume()
{
    const std::vector<Pending>& pending = m_loop.tasks.pending;
    const bool brokenOff = wasBrokenOff(pending);
    const TaskStatuses statuses(pending);
    std::vector<FinishedHandler> finished;
    bool allFinished = true;
    for (Task& task : m_loop.tasks.list) {
        const auto handler = m_loop.graph.node(task.node).errorHandler;
        const std::string& id = m_loop.taskId(task);
        const auto written = [&](std::int32_t channel) {
            return std::ranges::find_if(pending, [&](const Pending& each) {
                return each.taskId == id && each.write.channel == channel;
            });
        };
        const auto error = written(kErrorWrite);
        if (!handler || written(kErrorSourceWrite) == pending.end() || error == pending.end()) {
            allFinished = allFinished && statuses.find(id) != nullptr;
            continue;
        }
        const Value value = error->write.value;
        task.writes.push_back({ kErrorWrite, value, {} });
        Task& handling = addHandler(task, *handler,
                                    handledError(m_loop.graph.node(task.node).name.value, value, brokenOff));
        const TaskStatus* status = brokenOff ? statuses.find(handling.id) : nullptr;
        allFinished = allFinished && status != nullptr;
        if (status == nullptr)
            continue;
        handling.writes = status->output;
        finished.push_back({ &handling, m_loop.graph.node(task.node).name.value, value });
    }
    keepFinished(finished, allFinished);
}

// If every task has finished but there is no checkpoint, either the process died at that moment or the fold
// failed and ended the run: only folding again tells. A run that saves at its exit stores the state that the
// failed fold left; the tasks' triggers are used up in it, so that no planned task owns their writes.
void ErrorHandling::keepFinished(const std::vector<FinishedHandler>& finished, bool allFinished)
{
    const bool foldFailed = !finished.empty() && (hasWritesOfNoTask() || (allFinished && wouldFailToFold()));
    for (const FinishedHandler& each : finished) {
        if (!foldFailed) {
            m_deltas.gaveBack(each.task->id);
            continue;
        }
        each.task->writes.clear();
        each.task->handles = std::make_shared<HandledError>(handledError(each.failedNode, each.error, false));
    }
}

bool ErrorHandling::hasWritesOfNoTask()
{
    PlannedTasks& tasks = m_loop.tasks;
    return std::ranges::any_of(tasks.pending, [&](const Pending& pending) {
        const auto owns = [&](Task& task) { return m_loop.taskId(task) == pending.taskId; };
        return !isNull(pending) && std::ranges::none_of(tasks.list, owns)
            && std::ranges::none_of(tasks.handlers, owns);
    });
}

bool ErrorHandling::wouldFailToFold()
{
    std::optional<GraphState> trial = m_loop.storedChannels();
    if (!trial)
        return false;
    std::deque<Writes> copies;
    std::vector<AppliedTask> applied;
    m_loop.tasks.each([&](const Task& task) {
        copies.push_back(task.writes);
        applied.push_back({ task.path, task.node, task.triggered, &copies.back() });
    });
    ChannelSet updated(m_loop.graph.channels.size());
    return applyWrites(*trial, applied, nullptr, updated).has_value();
}

std::vector<Task*> ErrorHandling::takeHandlers()
{
    auto failed = std::exchange(m_failed, {});
    std::ranges::sort(failed, {}, [this](const auto& entry) { return m_loop.tasks.orderOf(*entry.first); });
    std::vector<Task*> handlers;
    for (auto& [task, failure] : failed) {
        const CompiledNode& node = m_loop.graph.node(task->node);
        failure.repr = failureRepr(failure);
        handlers.push_back(&addHandler(*task, *node.errorHandler, { node.name.value, std::move(failure) }));
    }
    return handlers;
}

Task& ErrorHandling::addHandler(Task& failed, std::int32_t handler, HandledError error)
{
    const std::string& id = m_loop.taskId(failed); // makes the ids too
    // After a resume the failure was in an earlier run.
    m_loop.run.firstFailure.note({ NodeId(error.node), m_loop.place.ns, m_loop.limits.step,
                                   error.failure.type, error.failure.message });
    Task& task = m_loop.tasks.handlers.emplace_back();
    task.node = handler;
    task.path = failed.path;
    task.path.errorHandler = true;
    task.triggered = Triggered::Otherwise;
    task.input = failed.input;
    task.ns = taskNamespace(m_loop.place.ns, m_loop.graph.node(failed.node).name.value, id);
    TaskIds ids = *m_loop.tasks.ids;
    ids.ns = task.ns;
    task.id = ids.ofHandler(m_loop.graph, handler, id);
    task.handles = std::make_shared<HandledError>(std::move(error));
    return task;
}

} // namespace sg::engine
