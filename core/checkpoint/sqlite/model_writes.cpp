#include "core/checkpoint/model_writes.h"

#include "core/base/clock.h"
#include "core/base/stored_time.h"
#include "core/checkpoint/serde/checkpoint_codec.h"
#include "core/checkpoint/serde/typed_value.h"
#include "core/checkpoint/sqlite/checkpoint_file.h"
#include "core/checkpoint/sqlite/rows.h"

#include <chrono>
#include <string_view>

namespace sg::checkpoint {
namespace {

constexpr std::string_view kPullPath = "~__pregel_pull, ";

// A message without either of these words says nothing about tokens.
constexpr const char* kTells = "(instr(value, CAST('usage_metadata' AS BLOB)) > 0"
                               " OR instr(value, CAST('token_usage' AS BLOB)) > 0)";

struct KnownTask {
    std::string checkpoint;
    std::string node;
    std::string startedAt;
    double seconds = -1;
};
using KnownTasks = std::unordered_map<std::string, KnownTask>; // by id

Result<void> each(sqlite::Statement& rows, const std::stop_token& stop, const auto& take)
{
    while (true) {
        if (stop.stop_requested()) // sqlite3_interrupt() has no effect between two statements
            return Error{ Errc::Cancelled, "reading was stopped" };
        const auto row = rows.step();
        if (!row)
            return row.error();
        if (!*row)
            return {};
        take(rows);
    }
}

std::string timeOf(std::int64_t microseconds)
{
    return isoTime(storedTime(std::chrono::microseconds(microseconds)));
}

Result<KnownTasks> readTasks(Connection& connection, const ThreadId& thread, const std::stop_token& stop)
{
    KnownTasks tasks;
    if (!connection.schema.hasRunLog)
        return tasks;
    auto rows =
        connection.db.prepare("SELECT task_id, checkpoint_id, node, started_at, seconds FROM sandglass_tasks"
                              " WHERE thread_id = ?1 AND checkpoint_ns = '' ORDER BY attempt");
    if (!rows)
        return std::move(rows.error());
    rows->bind(1, thread.value);
    auto done = each(*rows, stop, [&tasks](const sqlite::Statement& row) {
        KnownTask& task = tasks[std::string(row.text(0))];
        task.checkpoint = row.text(1);
        task.node = row.text(2);
        if (task.startedAt.empty())
            task.startedAt = timeOf(row.integer(3));
        task.seconds = std::max(task.seconds, 0.0) + row.real(4);
    });
    if (!done)
        return std::move(done.error());
    return tasks;
}

// In "plan:1f0…|inner:2a…" the write belongs to the outermost node.
void placeOf(std::string_view ns, std::string_view task, std::string_view path, std::string_view checkpoint,
             const KnownTasks& tasks, ModelWrite& write)
{
    if (!ns.empty()) {
        const std::string_view outermost = ns.substr(0, ns.find('|'));
        const std::size_t colon = outermost.find(':');
        write.node = outermost.substr(0, colon);
        task = colon == std::string_view::npos ? std::string_view() : outermost.substr(colon + 1);
        task = task.substr(0, task.find(':'));
        checkpoint = {};
    } else if (path.starts_with(kPullPath)) {
        write.node = path.substr(kPullPath.size());
    }
    write.task = task;
    write.checkpoint = checkpoint;
    const auto known = tasks.find(write.task);
    if (known == tasks.end())
        return;
    write.checkpoint = known->second.checkpoint;
    write.node = known->second.node;
    write.startedAt = known->second.startedAt;
    write.seconds = known->second.seconds;
}

Result<void> readWrites(Connection& connection, const ThreadId& thread, const KnownTasks& tasks,
                        const std::function<void(const ModelWrite&)>& take, const std::stop_token& stop)
{
    if (!connection.schema.hasWrites)
        return {};
    auto rows = connection.db.prepare(std::string("SELECT checkpoint_ns, checkpoint_id, task_id, ")
                                      + (connection.schema.hasTaskPath ? "task_path" : "''")
                                      + ", type, value FROM writes WHERE thread_id = ?1 AND " + kTells
                                      + " ORDER BY length(checkpoint_ns) = 0, checkpoint_id, idx");
    if (!rows)
        return std::move(rows.error());
    rows->bind(1, thread.value);
    return each(*rows, stop, [&](const sqlite::Statement& row) {
        auto value = loadsTyped(row.text(4), row.blob(5));
        if (!value)
            return; // the history reports it
        ModelWrite write;
        placeOf(row.text(0), row.text(2), row.text(3), row.text(1), tasks, write);
        write.value = *std::move(value);
        take(write);
    });
}

// Most threads have none; nothing else is read of them, however long they are.
Result<bool> hasWrites(Connection& connection, const ThreadId& thread)
{
    if (!connection.schema.hasWrites)
        return false;
    auto rows = connection.db.prepare(std::string("SELECT 1 FROM writes WHERE thread_id = ?1 AND ") + kTells
                                      + " LIMIT 1");
    if (!rows)
        return std::move(rows.error());
    rows->bind(1, thread.value);
    return rows->step();
}

Result<void> readParents(Connection& connection, const ThreadId& thread, const std::stop_token& stop,
                         ModelHistory& into)
{
    auto rows = connection.db.prepare("SELECT checkpoint_id, parent_checkpoint_id FROM checkpoints"
                                      " WHERE thread_id = ?1 AND checkpoint_ns = ''");
    if (!rows)
        return std::move(rows.error());
    rows->bind(1, thread.value);
    return each(*rows, stop,
                [&into](const sqlite::Statement& row) { into.parents.emplace(row.text(0), row.text(1)); });
}

Result<void> readNewest(Connection& connection, const ThreadId& thread, const std::stop_token& stop,
                        ModelHistory& into)
{
    auto newest = connection.db.prepare(
        std::string(
            "SELECT thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata"
            " FROM (SELECT *, checkpoint AS value FROM checkpoints WHERE thread_id = ?1"
            " AND checkpoint_ns = '' ORDER BY checkpoint_id DESC LIMIT 1) WHERE ")
        + kTells);
    if (!newest)
        return std::move(newest.error());
    newest->bind(1, thread.value);
    return each(*newest, stop, [&into](const sqlite::Statement& row) {
        if (auto record = readCheckpointRow(row))
            into.newest = Value(std::move(record->checkpoint.channelValues));
    });
}

} // namespace

Result<ModelHistory> readModelWrites(const std::filesystem::path& database, const ThreadId& thread,
                                     const std::function<void(const ModelWrite&)>& take,
                                     const std::stop_token& stop)
{
    auto file = CheckpointFile::openToRead(database);
    if (!file)
        return std::move(file.error());
    ModelHistory found;
    auto done = (*file)->read([&](Connection& connection) -> Result<void> {
        if (!connection.schema.hasCheckpoints)
            return {};
        const std::stop_callback interrupts(stop, [&connection] { connection.db.interrupt(); });
        auto any = hasWrites(connection, thread);
        if (!any)
            return std::move(any.error());
        if (*any) {
            auto tasks = readTasks(connection, thread, stop);
            if (!tasks)
                return std::move(tasks.error());
            if (auto written = readWrites(connection, thread, *tasks, take, stop); !written)
                return written;
            if (auto read = readParents(connection, thread, stop, found); !read)
                return read;
        }
        return readNewest(connection, thread, stop, found);
    });
    if (!done)
        return std::move(done.error());
    return found;
}

} // namespace sg::checkpoint
