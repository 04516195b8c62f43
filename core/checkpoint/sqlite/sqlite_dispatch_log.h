#pragma once

#include "core/checkpoint/dispatch_log.h"
#include "core/checkpoint/sqlite/checkpoint_file.h"

namespace sg::checkpoint {

class SqliteDispatchLog final : public DispatchLog {
public:
    explicit SqliteDispatchLog(CheckpointFile& file)
        : m_file(file)
    {
    }

    Result<void> put(const Dispatch& dispatch) override;
    Result<void> settle(const std::vector<Dispatch>& all, Dispatch::State state) override;
    Result<std::optional<Dispatch>> find(const ThreadId& thread, const TaskId& task,
                                         std::int64_t number) override;
    Result<std::optional<Dispatch>> newest(const ThreadId& thread, const TaskId& task) override;
    Result<std::vector<Dispatch>> all(const ThreadId& thread) override;

    // These work in the caller's transaction.
    static Result<void> makeTable(sqlite::Db& db);
    static Result<void> deleteThread(sqlite::Db& db, const ThreadId& thread);

private:
    CheckpointFile& m_file;
};

} // namespace sg::checkpoint
