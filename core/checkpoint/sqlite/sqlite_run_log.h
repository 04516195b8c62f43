#pragma once

#include "core/checkpoint/run_log.h"
#include "core/checkpoint/sqlite/checkpoint_file.h"

namespace sg::checkpoint {

class SqliteRunLog final : public RunLog {
public:
    explicit SqliteRunLog(CheckpointFile& file)
        : m_file(file)
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

    // These work in the caller's transaction. The first makes tables that runs otherwise make on demand.
    static Result<void> makeLaterTables(sqlite::Db& db);
    static Result<void> deleteThread(sqlite::Db& db, const ThreadId& thread);

private:
    CheckpointFile& m_file;
};

} // namespace sg::checkpoint
