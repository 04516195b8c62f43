#include "core/engine/compile/node_cache.h"
#include "core/engine/loop/step_execution.h"

#include <algorithm>
#include <unordered_map>

// This part of StepExecution hands a task what an earlier attempt recorded, and records what the task did.
namespace sg::engine {

void StepExecution::stepPlanned()
{
    m_single.reset();
    m_hadPending = !m_loop.tasks.pending.empty();
    for (const Pending& pending : m_loop.tasks.pending)
        if (isNull(pending) && pending.write.channel == kResumeWrite) {
            m_single = std::make_shared<SingleAnswer>(pending.write.value);
            break;
        }
}

void StepExecution::matchCache()
{
    if (!m_loop.graph.cache)
        return;
    std::vector<Task*> matched; // of tasks with the same key only the last, as LangGraph does
    std::unordered_map<std::string_view, std::size_t> places;
    for (Task& task : m_loop.tasks.list) {
        const CompiledNode& node = m_loop.graph.node(task.node);
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
        if (auto writes = m_loop.graph.cache->find(task->cacheKey, m_loop.run.services.clock.now())) {
            task->writes = *std::move(writes);
            recordWrites(*task, true);
        }
}

Answers StepExecution::answersFor(Task& task)
{
    std::vector<Value> given;
    std::shared_ptr<SingleAnswer> single;
    if (m_hadPending) {
        const std::lock_guard lock(m_mutex);
        const std::string& id = m_loop.taskId(task);
        const auto stored = std::ranges::find_if(m_loop.tasks.pending, [&id](const Pending& each) {
            return each.taskId == id && each.write.channel == kResumeWrite;
        });
        if (stored != m_loop.tasks.pending.end())
            given = stored->write.value.isList() ? stored->write.value.asList()
                                                 : ValueList{ stored->write.value };
        if (m_loop.run.resumeMap && !m_loop.run.resumeMap->empty()) {
            const std::string ns = taskNamespace(task.ns.empty() ? m_loop.place.ns : task.ns,
                                                 m_loop.graph.node(task.node).name.value, id);
            const Value* answer = m_loop.run.resumeMap->find(interruptId(ns, given.size()));
            if (answer == nullptr) // older versions gave all of a task's interrupts the first id
                answer = m_loop.run.resumeMap->find(interruptId(ns, 0));
            if (answer != nullptr)
                given.push_back(*answer);
        }
        single = m_single;
    }
    return Answers(std::move(given), std::move(single), m_loop.place.outerAnswers);
}

void StepExecution::commit(Task& task, TaskEnd end)
{
    const std::lock_guard lock(m_mutex);
    switch (end.kind) {
    case TaskEnd::Kind::Done:
        if (allControl(task.writes)) // so that it counts as finished
            task.writes.push_back({ .channel = kNoWritesWrite });
        recordWrites(task, false);
        m_saver.taskDone(task);
        break;
    case TaskEnd::Kind::Asked:
        if (!end.interrupts.empty()) {
            task.asked = Writes{ { kInterruptWrite, Value(end.interrupts), {} } };
            for (const Write& write : task.writes)
                if (write.channel == kResumeWrite)
                    task.asked->push_back(write);
            recordWrites(task, false);
        }
        m_asked.emplace_back(m_loop.tasks.orderOf(task), std::move(end.interrupts));
        break;
    case TaskEnd::Kind::Failed: fail(task, std::move(end)); break;
    case TaskEnd::Kind::Command: m_bad.push_back({ m_loop.tasks.orderOf(task), std::move(end), {} }); break;
    case TaskEnd::Kind::Stopped:
        task.writes.clear();
        m_stopped = true;
        break;
    }
    --m_unfinished;
    // This task's writes are stored at once, because others may take long; the last task's go with the
    // checkpoint.
    if (m_loop.graph.node(task.node).mayBlock && m_unfinished > 0 && !m_storeFailure)
        m_storeFailure = m_loop.pushSaves();
}

void StepExecution::fail(Task& task, TaskEnd end)
{
    const CompiledNode& node = m_loop.graph.node(task.node);
    const Failure& failure = *end.failure;
    m_loop.run.firstFailure.note(
        { node.name, m_loop.place.ns, m_loop.limits.step, failure.type, failure.message });
    task.writes.push_back(
        { kErrorWrite, raisedError(failure.type, failure.message, failureRepr(failure)), {} });
    if (node.errorHandler)
        task.writes.push_back({ kErrorSourceWrite, node.key, {} });
    recordWrites(task, false);
    if (node.errorHandler)
        m_errors.add(task, std::move(*end.failure));
    else
        m_bad.push_back({ m_loop.tasks.orderOf(task), std::move(end), node.name });
}

void StepExecution::recordWrites(Task& task, bool cached)
{
    const Writes& made = task.asked ? *task.asked : task.writes;
    if (made.empty())
        return;
    task.recorded = true;
    const bool fixed = allFixedPlace(made);
    const Writes special = fixed ? deduplicated(made) : Writes();
    const Writes& writes = fixed ? special : made;
    if (m_single)
        m_single->settle();
    std::vector<Pending>& pending = m_loop.tasks.pending;
    if (!pending.empty())
        std::erase_if(pending, [&](const Pending& each) { return each.taskId == m_loop.taskId(task); });
    m_saver.saveTask(task, writes);
    for (const Write& write : writes)
        if (write.channel == kInterruptWrite && task.node != 0 && write.value.isList())
            for (Value& each : plainInterrupts(write.value.asList()))
                m_raised.push_back(
                    { std::move(each), m_loop.graph.node(task.node).name, TaskId(m_loop.taskId(task)) });
    if (writes.front().channel == kInterruptWrite && task.node != 0)
        m_output.noteValues();
    if (m_loop.run.publisher.isHeard()) {
        m_loop.taskId(task);
        m_output.taskWrote(task, writes, cached);
    }
    if (!cached && !task.cacheKey.empty())
        keepInCache(task, writes);
}

void StepExecution::keepInCache(const Task& task, const Writes& writes)
{
    if (std::ranges::any_of(writes, [](const Write& write) {
            return write.channel == kInterruptWrite || write.channel == kErrorWrite;
        }))
        return;
    const auto& ttl = m_loop.graph.node(task.node).cache->ttl;
    const WallTime now = m_loop.run.services.clock.now();
    m_loop.graph.cache->put(
        task.cacheKey, writes,
        ttl ? std::optional(
            now + std::chrono::duration_cast<WallTime::duration>(std::chrono::duration<double>(*ttl)))
            : std::nullopt);
}

} // namespace sg::engine
