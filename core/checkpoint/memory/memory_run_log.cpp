#include "core/checkpoint/memory/memory_run_log.h"

#include "core/checkpoint/log_records.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace sg::checkpoint {

Result<void> MemoryRunLog::startRun(const RunRecord& run)
{
    const std::lock_guard lock(m_mutex);
    m_undo.note([this, before = m_runs] { m_runs = before; });
    std::erase_if(m_runs, [&](const RunRecord& other) { return other.id == run.id; });
    const auto place = std::ranges::upper_bound(m_runs, run.startedAt, {}, &RunRecord::startedAt);
    m_runs.insert(place, run);
    return {};
}

Result<void> MemoryRunLog::finishRun(const RunId& run, WallTime at, RunStatus status,
                                     const std::string& error, std::int64_t supersteps)
{
    const std::lock_guard lock(m_mutex);
    const auto found = std::ranges::find(m_runs, run, &RunRecord::id);
    if (found == m_runs.end())
        return {};
    m_undo.note([this, before = m_runs] { m_runs = before; });
    found->finishedAt = at;
    found->status = status;
    found->error = error;
    found->supersteps = supersteps;
    return {};
}

Result<void> MemoryRunLog::addPackages(const RunId& run, const RunPackages& packages)
{
    const std::lock_guard lock(m_mutex);
    m_undo.note([this, before = m_packages] { m_packages = before; });
    m_packages[run][packages.layer] = packages;
    return {};
}

Result<std::vector<RunPackages>> MemoryRunLog::packagesOf(const RunId& run)
{
    const std::lock_guard lock(m_mutex);
    std::vector<RunPackages> found;
    if (const auto of = m_packages.find(run); of != m_packages.end())
        for (const auto& [layer, packages] : of->second)
            found.push_back(packages);
    return found;
}

Result<void> MemoryRunLog::addGraph(const RunId& run, const std::string& text)
{
    const std::lock_guard lock(m_mutex);
    m_undo.note([this, before = m_graphs] { m_graphs = before; });
    m_graphs[run] = text;
    return {};
}

Result<std::optional<std::string>> MemoryRunLog::graphOf(const RunId& run)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_graphs.find(run);
    return found == m_graphs.end() ? std::optional<std::string>() : found->second;
}

Result<void> MemoryRunLog::addTasks(const std::vector<TaskRecord>& added)
{
    const std::lock_guard lock(m_mutex);
    for (const TaskRecord& task : added) {
        TasksOfThread& tasks = m_tasks[task.checkpoint.thread];
        TaskRecord numbered = task;
        for (auto at = tasks.lower_bound({ task.checkpoint.ns, task.checkpoint.id, task.task, 0 });
             at != tasks.end() && at->second.checkpoint == task.checkpoint && at->second.task == task.task;
             ++at) {
            const TaskRecord& before = at->second;
            if (before.startedAt < task.startedAt
                && (before.outcome == TaskOutcome::Interrupted || before.outcome == TaskOutcome::Failed))
                numbered.attempt = before.attempt + task.attempt;
        }
        const TaskKey key{ task.checkpoint.ns, task.checkpoint.id, task.task, numbered.attempt };
        const auto found = tasks.find(key);
        m_undo.note([this, key, thread = task.checkpoint.thread,
                     before = found != tasks.end() ? std::optional(found->second) : std::nullopt] {
            if (before)
                m_tasks[thread][key] = *before;
            else
                m_tasks[thread].erase(key);
        });
        tasks.insert_or_assign(key, std::move(numbered));
    }
    return {};
}

Result<void> MemoryRunLog::addLog(const std::vector<LogRecord>& records)
{
    const std::lock_guard lock(m_mutex);
    for (const LogRecord& record : records) {
        std::vector<LogRecord>& log = m_log[record.run];
        m_undo.note([this, run = record.run] { m_log[run].pop_back(); });
        log.push_back(record);
        log.back().seq = std::ssize(log) - 1;
    }
    return {};
}

Result<std::vector<RunRecord>> MemoryRunLog::runs(const ThreadId& thread)
{
    const std::lock_guard lock(m_mutex);
    std::vector<RunRecord> found;
    std::copy_if(m_runs.rbegin(), m_runs.rend(), std::back_inserter(found),
                 [&](const RunRecord& run) { return run.thread == thread; });
    return found;
}

Result<std::vector<RunRecord>> MemoryRunLog::lastRuns()
{
    const std::lock_guard lock(m_mutex);
    std::vector<RunRecord> found;
    for (auto run = m_runs.rbegin(); run != m_runs.rend(); ++run) {
        if (std::ranges::find(found, run->thread, &RunRecord::thread) == found.end())
            found.push_back(*run);
    }
    return found;
}

Result<std::vector<TaskRecord>> MemoryRunLog::tasksOf(const ThreadId& thread)
{
    const std::lock_guard lock(m_mutex);
    std::vector<TaskRecord> found;
    if (const auto tasks = m_tasks.find(thread); tasks != m_tasks.end()) {
        for (const auto& [key, task] : tasks->second)
            found.push_back(task);
    }
    std::ranges::stable_sort(found, {}, &TaskRecord::startedAt);
    return found;
}

Result<std::vector<LogRecord>> MemoryRunLog::logOf(const RunId& run, std::int64_t from, std::int64_t limit)
{
    const std::lock_guard lock(m_mutex);
    const auto log = m_log.find(run);
    if (log == m_log.end())
        return std::vector<LogRecord>();
    const std::int64_t begin = std::clamp<std::int64_t>(from, 0, std::ssize(log->second));
    const std::int64_t end =
        limit < 0 ? std::ssize(log->second) : std::min(begin + limit, std::ssize(log->second));
    return std::vector<LogRecord>(log->second.begin() + begin, log->second.begin() + end);
}

Result<std::vector<LogRecord>> MemoryRunLog::logTail(const ThreadId& thread, std::int64_t limit)
{
    const std::lock_guard lock(m_mutex);
    std::vector<LogRecord> tail;
    for (const RunRecord& run : m_runs) { // oldest first
        if (const auto log = m_log.find(run.id); run.thread == thread && log != m_log.end())
            std::ranges::copy(log->second, std::back_inserter(tail));
    }
    if (const auto console = m_log.find(consoleRun(thread)); console != m_log.end())
        return newestOfBoth(tail, console->second, limit);
    if (std::ssize(tail) > limit)
        tail.erase(tail.begin(), tail.end() - std::max<std::int64_t>(limit, 0));
    return tail;
}

void MemoryRunLog::deleteThread(const ThreadId& thread)
{
    m_undo.note([this, runs = m_runs, tasks = m_tasks, log = m_log, graphs = m_graphs] {
        m_graphs = graphs;
        m_runs = runs;
        m_tasks = tasks;
        m_log = log;
    });
    for (const RunRecord& run : m_runs) {
        if (run.thread != thread)
            continue;
        m_log.erase(run.id);
        m_graphs.erase(run.id);
    }
    m_log.erase(consoleRun(thread));
    std::erase_if(m_runs, [&](const RunRecord& run) { return run.thread == thread; });
    m_tasks.erase(thread);
}

} // namespace sg::checkpoint
