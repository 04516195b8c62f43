#include "core/engine/errors/stored_error.h"
#include "core/engine/loop/run_loop.h"
#include "core/engine/state/delta_history.h"
#include "core/engine/steps/apply_writes.h"

#include <algorithm>

// Error handlers of tasks that had failed when the run before this one ended.
namespace sg::engine {
namespace {

// The superstep did not end by itself, with a question or a failure: its process died in the middle.
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
        return { node, stored.stringOr("type", ""), stored.stringOr("message", "") };
    const std::string text = stored.isString() ? stored.asString() : std::string();
    if (asItWas)
        if (auto error = parseStoredError(text))
            return { node, std::move(error->type), std::move(error->message), text };
    return { node, "str", text };
}

} // namespace

// A task that failed before and has an error handler is not tried again: its handler is. LangGraph runs a
// handler anew even where it has finished, and hands it the text that is stored of the error. That is kept
// for supersteps that ended with a question or a failure; one that was broken off goes on as if it had not
// been.
void RunLoop::resumeErrorHandlers()
{
    const bool brokenOff = wasBrokenOff(m_pending);
    const TaskStatuses statuses(m_pending);
    std::vector<FinishedHandler> finished;
    bool allFinished = true;
    for (Task& task : m_tasks) {
        const auto handler = m_graph.node(task.node).errorHandler;
        const std::string& id = taskId(task);
        const auto written = [&](std::int32_t channel) {
            return std::ranges::find_if(m_pending, [&](const Pending& pending) {
                return pending.taskId == id && pending.write.channel == channel;
            });
        };
        const auto error = written(kErrorWrite);
        if (!handler || written(kErrorSourceWrite) == m_pending.end() || error == m_pending.end()) {
            allFinished = allFinished && statuses.find(id) != nullptr;
            continue;
        }
        const Value value = error->write.value;
        task.writes.push_back({ kErrorWrite, value, {} });
        Task& handling =
            addHandler(task, *handler, handledError(m_graph.node(task.node).name.value, value, brokenOff));
        const TaskStatus* status = brokenOff ? statuses.find(handling.id) : nullptr;
        allFinished = allFinished && status != nullptr;
        if (status == nullptr)
            continue;
        handling.writes = status->output;
        finished.push_back({ &handling, m_graph.node(task.node).name.value, value });
    }
    keepFinishedHandlers(finished, allFinished);
}

// Where every task has finished and yet there is no checkpoint, either the process died just then, or the
// fold failed and with it the run: only trying tells. A run that saves at its exit stores what the failed
// fold made of the state; its tasks' triggers are used up then, and nothing is planned that owns their
// writes.
void RunLoop::keepFinishedHandlers(const std::vector<FinishedHandler>& finished, bool allFinished)
{
    const bool foldFailed = !finished.empty() && (hasWritesOfNoTask() || (allFinished && wouldFailToFold()));
    for (const FinishedHandler& each : finished) {
        if (!foldFailed) {
            m_reappliedTasks.push_back(each.task->id);
            continue;
        }
        each.task->writes.clear();
        each.task->handles = std::make_shared<HandledError>(handledError(each.failedNode, each.error, false));
    }
}

bool RunLoop::hasWritesOfNoTask()
{
    return std::ranges::any_of(m_pending, [this](const Pending& pending) {
        const auto owns = [&](Task& task) { return taskId(task) == pending.taskId; };
        return !isNull(pending) && std::ranges::none_of(m_tasks, owns)
            && std::ranges::none_of(m_handlers, owns);
    });
}

bool RunLoop::wouldFailToFold()
{
    if (!m_place.stores || !m_saved)
        return false;
    const auto record = m_run.saves->store().get(m_run.options.thread, m_place.ns, m_saved);
    if (!record || !*record)
        return false;
    GraphState trial(m_graph, m_run.services.random);
    trial.load((*record)->checkpoint);
    if (replayDeltaChannels(trial, **record, m_run.saves->store()))
        return false;
    std::deque<Writes> copies;
    std::vector<AppliedTask> applied;
    eachTask([&](const Task& task) {
        copies.push_back(task.writes);
        applied.push_back({ task.path, task.node, task.triggered, &copies.back() });
    });
    ChannelSet updated(m_graph.channels.size());
    return applyWrites(trial, applied, nullptr, updated).has_value();
}

Task& RunLoop::addHandler(Task& failed, std::int32_t handler, HandledError error)
{
    const std::string& id = taskId(failed); // makes m_taskIds too
    Task& task = m_handlers.emplace_back();
    task.node = handler;
    task.path = failed.path;
    task.path.errorHandler = true;
    task.triggered = Triggered::Otherwise;
    task.input = failed.input;
    task.ns = taskNamespace(m_place.ns, m_graph.node(failed.node).name.value, id);
    TaskIds ids = *m_taskIds;
    ids.ns = task.ns;
    task.id = ids.ofHandler(m_graph, handler, id);
    task.handles = std::make_shared<HandledError>(std::move(error));
    return task;
}

} // namespace sg::engine
