#include "core/checkpoint/thread_changes.h"

#include "core/checkpoint/sqlite/checkpoint_file.h"

#include <algorithm>
#include <utility>

namespace sg::checkpoint {
namespace {

constexpr const char* kCheckpoints = "SELECT count(*), coalesce(max(checkpoint_id), '') FROM checkpoints "
                                     "WHERE thread_id = ?1 AND checkpoint_ns = ''";
constexpr const char* kTasks =
    "SELECT count(*), coalesce(max(rowid), 0), min(CASE WHEN rowid > ?2 THEN checkpoint_id END)"
    " FROM sandglass_tasks WHERE thread_id = ?1 AND checkpoint_ns = ''";
constexpr const char* kWrites =
    "SELECT count(*), coalesce(max(rowid), 0), min(CASE WHEN rowid > ?2 THEN checkpoint_id END)"
    " FROM writes WHERE thread_id = ?1 AND checkpoint_ns = ''";

struct Rows {
    std::int64_t count = 0;
    std::int64_t newest = 0;
    std::string firstChanged;
};

Result<Rows> rowsOf(sqlite::Db& db, const char* sql, const ThreadId& thread, std::int64_t since)
{
    auto statement = db.cached(sql);
    if (!statement)
        return std::move(statement.error());
    statement->bind(1, thread.value).bind(2, since);
    if (auto row = statement->step(); !row)
        return std::move(row.error());
    return Rows{ statement->integer(0), statement->integer(1), std::string(statement->text(2)) };
}

void takeFirst(ThreadChanges::Stamp& stamp, const std::string& changed)
{
    if (!changed.empty() && (stamp.firstChanged.empty() || changed < stamp.firstChanged))
        stamp.firstChanged = changed;
}

} // namespace

ThreadChanges::ThreadChanges(std::unique_ptr<CheckpointFile> file)
    : m_file(std::move(file))
{
}

ThreadChanges::ThreadChanges(ThreadChanges&&) noexcept = default;
ThreadChanges& ThreadChanges::operator=(ThreadChanges&&) noexcept = default;
ThreadChanges::~ThreadChanges() = default;

Result<ThreadChanges> ThreadChanges::open(const std::filesystem::path& database)
{
    auto file = CheckpointFile::openToRead(database);
    if (!file)
        return std::move(file.error());
    return ThreadChanges(std::move(*file));
}

Result<std::int64_t> ThreadChanges::version()
{
    std::int64_t version = 0;
    auto done = m_file->read([&version](Connection& connection) -> Result<void> {
        auto found = connection.dataVersion();
        if (!found)
            return std::move(found.error());
        version = *found;
        return {};
    });
    if (!done)
        return std::move(done.error());
    return version;
}

Result<ThreadChanges::Stamp> ThreadChanges::stamp(const ThreadId& thread, const Stamp& before)
{
    Stamp stamp;
    auto done = m_file->read([&](Connection& connection) -> Result<void> {
        if (!connection.schema.hasCheckpoints)
            return {};
        auto statement = connection.db.cached(kCheckpoints);
        if (!statement)
            return std::move(statement.error());
        statement->bind(1, thread.value);
        if (auto row = statement->step(); !row)
            return std::move(row.error());
        stamp.checkpoints = statement->integer(0);
        stamp.newest = statement->text(1);
        if (connection.schema.hasRunLog) {
            auto tasks = rowsOf(connection.db, kTasks, thread, before.newestTask);
            if (!tasks)
                return std::move(tasks.error());
            stamp.tasks = tasks->count;
            stamp.newestTask = tasks->newest;
            takeFirst(stamp, tasks->firstChanged);
        }
        if (connection.schema.hasWrites) {
            auto writes = rowsOf(connection.db, kWrites, thread, before.newestWrite);
            if (!writes)
                return std::move(writes.error());
            stamp.writes = writes->count;
            stamp.newestWrite = writes->newest;
            takeFirst(stamp, writes->firstChanged);
        }
        return {};
    });
    if (!done)
        return std::move(done.error());
    return stamp;
}

} // namespace sg::checkpoint
