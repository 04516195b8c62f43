#include "core/checkpoint/sqlite/sqlite_dispatch_log.h"

#include "core/sqlite/each_row.h"

#include <utility>

namespace sg::checkpoint {
namespace {

constexpr const char* kDispatchTable = R"(
CREATE TABLE IF NOT EXISTS sandglass_dispatches (
    thread_id TEXT NOT NULL,
    task_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    digest TEXT NOT NULL,
    role TEXT NOT NULL,
    job TEXT NOT NULL,
    state INTEGER NOT NULL,
    PRIMARY KEY (thread_id, task_id, number)
) WITHOUT ROWID;
)";
constexpr const char* kSelectDispatch = "SELECT thread_id, task_id, number, digest, role, job, state FROM "
                                        "sandglass_dispatches WHERE thread_id = ?";

Result<bool> hasDispatches(sqlite::Db& db)
{
    auto statement =
        db.cached("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'sandglass_dispatches'");
    if (!statement)
        return std::move(statement.error());
    return statement->step();
}

Dispatch dispatchOf(const sqlite::Statement& row)
{
    Dispatch dispatch;
    dispatch.thread = ThreadId(std::string(row.text(0)));
    dispatch.task = TaskId(std::string(row.text(1)));
    dispatch.number = row.integer(2);
    dispatch.digest = row.text(3);
    dispatch.role = row.text(4);
    dispatch.job = row.text(5);
    dispatch.state = row.integer(6) == 0 ? Dispatch::State::Open
        : row.integer(6) == 1            ? Dispatch::State::Received
                                         : Dispatch::State::Failed;
    return dispatch;
}

template<typename... Args>
Result<std::vector<Dispatch>> select(CheckpointFile& file, const std::string& sql, const Args&... args)
{
    std::vector<Dispatch> found;
    auto done = file.read([&](Connection& connection) -> Result<void> {
        auto exists = hasDispatches(connection.db);
        if (!exists || !*exists)
            return exists ? Result<void>() : std::move(exists.error());
        auto rows = connection.db.cached(sql);
        if (!rows)
            return std::move(rows.error());
        int index = 0;
        (rows->bind(++index, args), ...);
        return sqlite::eachRow(*rows, [&]() -> Result<void> {
            found.push_back(dispatchOf(*rows));
            return {};
        });
    });
    if (!done)
        return std::move(done.error());
    return found;
}

} // namespace

Result<void> SqliteDispatchLog::put(const Dispatch& dispatch)
{
    const auto insert = [&](sqlite::Db& db) -> Result<void> {
        if (auto made = makeTable(db); !made)
            return made;
        return db.run("INSERT OR REPLACE INTO sandglass_dispatches"
                      " (thread_id, task_id, number, digest, role, job, state) VALUES (?, ?, ?, ?, ?, ?, ?)",
                      dispatch.thread.value, dispatch.task.value, dispatch.number, dispatch.digest,
                      dispatch.role, dispatch.job, static_cast<std::int64_t>(dispatch.state));
    };
    return m_file.write(insert, CheckpointFile::Commit::Beside);
}

Result<void> SqliteDispatchLog::settle(const std::vector<Dispatch>& all, Dispatch::State state)
{
    return m_file.write([&](sqlite::Db& db) -> Result<void> {
        for (const Dispatch& each : all)
            if (auto done =
                    db.run("UPDATE sandglass_dispatches SET state = ? WHERE thread_id = ? AND task_id = ?"
                           " AND number = ?",
                           static_cast<std::int64_t>(state), each.thread.value, each.task.value, each.number);
                !done)
                return done;
        return {};
    });
}

Result<std::optional<Dispatch>> SqliteDispatchLog::find(const ThreadId& thread, const TaskId& task,
                                                        std::int64_t number)
{
    auto found = select(m_file, std::string(kSelectDispatch) + " AND task_id = ? AND number = ?",
                        thread.value, task.value, number);
    if (!found)
        return std::move(found.error());
    return found->empty() ? std::optional<Dispatch>() : std::optional<Dispatch>(std::move(found->front()));
}

Result<std::optional<Dispatch>> SqliteDispatchLog::newest(const ThreadId& thread, const TaskId& task)
{
    auto found =
        select(m_file, std::string(kSelectDispatch) + " AND task_id = ? ORDER BY number DESC LIMIT 1",
               thread.value, task.value);
    if (!found)
        return std::move(found.error());
    if (found->empty())
        return std::optional<Dispatch>();
    return std::optional<Dispatch>(std::move(found->front()));
}

Result<std::vector<Dispatch>> SqliteDispatchLog::all(const ThreadId& thread)
{
    return select(m_file, std::string(kSelectDispatch) + " ORDER BY task_id, number", thread.value);
}

Result<void> SqliteDispatchLog::makeTable(sqlite::Db& db)
{
    return db.exec(kDispatchTable);
}

Result<void> SqliteDispatchLog::deleteThread(sqlite::Db& db, const ThreadId& thread)
{
    auto exists = hasDispatches(db);
    if (!exists || !*exists)
        return exists ? Result<void>() : std::move(exists.error());
    return db.run("DELETE FROM sandglass_dispatches WHERE thread_id = ?", thread.value);
}

} // namespace sg::checkpoint
