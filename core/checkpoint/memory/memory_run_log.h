#pragma once

#include "core/checkpoint/memory/undo_list.h"
#include "core/checkpoint/run_log.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace sg::checkpoint {

class MemoryRunLog final : public RunLog {
public:
    MemoryRunLog(std::recursive_mutex& mutex, UndoList& undo)
        : m_mutex(mutex)
        , m_undo(undo)
    {
    }

    Result<void> startRun(const RunRecord& run) override;
    Result<void> finishRun(const RunId& run, WallTime at, RunStatus status, const std::string& error,
                           std::int64_t supersteps) override;
    Result<void> addPackages(const RunId& run, const RunPackages& packages) override;
    Result<void> addGraph(const RunId& run, const std::string& text) override;
    Result<void> addTasks(const std::vector<TaskRecord>& tasks) override;
    Result<void> addLog(const std::vector<LogRecord>& records) override;
    Result<std::vector<RunRecord>> runs(const ThreadId& thread) override;
    Result<std::vector<RunPackages>> packagesOf(const RunId& run) override;
    Result<std::optional<std::string>> graphOf(const RunId& run) override;
    Result<std::vector<RunRecord>> lastRuns() override;
    Result<std::vector<TaskRecord>> tasksOf(const ThreadId& thread) override;
    Result<std::vector<LogRecord>> logOf(const RunId& run, std::int64_t from, std::int64_t limit) override;
    Result<std::vector<LogRecord>> logTail(const ThreadId& thread, std::int64_t limit) override;

    void deleteThread(const ThreadId& thread); // the caller holds the mutex

private:
    using TaskKey = std::tuple<std::string, CheckpointId, TaskId, std::int64_t>; // namespace, …, attempt
    using TasksOfThread = std::map<TaskKey, TaskRecord>;

    std::recursive_mutex& m_mutex;
    // guarded by m_mutex
    UndoList& m_undo;
    std::vector<RunRecord> m_runs; // in order of their start
    std::map<RunId, std::map<std::string, RunPackages>> m_packages; // by layer
    std::map<RunId, std::string> m_graphs;
    std::map<ThreadId, TasksOfThread> m_tasks;
    std::map<RunId, std::vector<LogRecord>> m_log;
};

} // namespace sg::checkpoint
