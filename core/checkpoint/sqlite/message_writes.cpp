#include "core/checkpoint/message_writes.h"

#include "core/base/clock.h"
#include "core/base/stored_time.h"
#include "core/checkpoint/serde/typed_value.h"
#include "core/checkpoint/sqlite/checkpoint_file.h"
#include "core/sqlite/each_row.h"

#include <chrono>
#include <string_view>

namespace sg::checkpoint {
namespace {

constexpr std::string_view kPull = "~__pregel_pull, ";

// LangChain's own messages name their module; plain ones, as OpenAI has them, name role and content.
constexpr const char* kHoldsMessages =
    "(instr(w.value, CAST('langchain_core.messages' AS BLOB)) > 0"
    " OR (instr(w.value, CAST('role' AS BLOB)) > 0 AND instr(w.value, CAST('content' AS BLOB)) > 0)"
    " OR w.channel = 'messages')";

std::string query(const SchemaState& schema)
{
    const std::string path = schema.hasTaskPath ? "w.task_path" : "''";
    const std::string where =
        std::string(" WHERE w.thread_id = ?1 AND w.rowid > ?2 AND length(w.value) <= ?3 AND ")
        + kHoldsMessages + " ORDER BY w.rowid";
    const std::string columns =
        "SELECT w.rowid, w.checkpoint_ns, w.checkpoint_id, w.task_id, " + path + ", w.type, w.value";
    if (!schema.hasRunLog)
        return columns + ", '', 0, -1, '', '' FROM writes w" + where;
    // The root's task is named in the namespace: "plan:1f0…|inner:2a…".
    return "WITH tasks AS MATERIALIZED (SELECT task_id, max(node) AS node, min(started_at) AS began,"
           " sum(seconds) AS seconds, max(checkpoint_id) AS checkpoint FROM sandglass_tasks"
           " WHERE thread_id = ?1 GROUP BY task_id) "
        + columns
        + ", ifnull(t.node, ''), ifnull(t.began, 0), ifnull(t.seconds, -1), ifnull(r.checkpoint, ''),"
          " ifnull(r.node, '') FROM writes w LEFT JOIN tasks t ON t.task_id = w.task_id"
          " LEFT JOIN tasks r ON w.checkpoint_ns <> '' AND r.task_id = substr(w.checkpoint_ns,"
          " instr(w.checkpoint_ns, ':') + 1, 36)"
        + where;
}

MessageWrite writeOf(const sqlite::Statement& row)
{
    MessageWrite write;
    write.ns = row.text(1);
    write.task = row.text(3);
    const std::string_view path = row.text(4);
    write.node = row.text(7);
    if (write.node.empty() && path.starts_with(kPull))
        write.node = path.substr(kPull.size());
    if (row.integer(8) > 0)
        write.startedAt = isoTime(storedTime(std::chrono::microseconds(row.integer(8))));
    write.seconds = row.real(9);
    write.checkpoint = write.ns.empty() ? row.text(2) : row.text(10);
    write.rootNode = row.text(11);
    if (write.ns.empty())
        write.rootNode = write.node;
    else if (write.rootNode.empty())
        write.rootNode = write.ns.substr(0, write.ns.find_first_of(":|"));
    return write;
}

} // namespace

Result<std::int64_t> readMessageWrites(const std::filesystem::path& database, const ThreadId& thread,
                                       std::int64_t after,
                                       const std::function<void(const MessageWrite&)>& take,
                                       const std::stop_token& stop)
{
    auto file = CheckpointFile::openToRead(database);
    if (!file)
        return std::move(file.error());
    std::int64_t last = after;
    auto done = (*file)->read([&](Connection& connection) -> Result<void> {
        if (!connection.schema.hasWrites)
            return {};
        const std::stop_callback interrupts(stop, [&connection] { connection.db.interrupt(); });
        auto rows = connection.db.prepare(query(connection.schema));
        if (!rows)
            return std::move(rows.error());
        rows->bind(1, thread.value);
        rows->bind(2, after);
        rows->bind(3, kMostMessageWrite);
        while (true) {
            if (stop.stop_requested())
                return Error{ Errc::Cancelled, "reading was stopped" };
            const auto row = rows->step();
            if (!row)
                return row.error();
            if (!*row)
                return {};
            last = rows->integer(0);
            auto value = loadsTyped(rows->text(5), rows->blob(6));
            if (!value)
                continue; // the history reports it
            MessageWrite write = writeOf(*rows);
            write.value = *std::move(value);
            take(write);
        }
    });
    if (!done)
        return std::move(done.error());
    return last;
}

Result<std::unordered_map<std::string, EndedTask>> readEndedTasks(const std::filesystem::path& database,
                                                                  const ThreadId& thread)
{
    auto file = CheckpointFile::openToRead(database);
    if (!file)
        return std::move(file.error());
    std::unordered_map<std::string, EndedTask> tasks;
    auto done = (*file)->read([&](Connection& connection) -> Result<void> {
        if (!connection.schema.hasRunLog)
            return {};
        auto rows = connection.db.prepare("SELECT task_id, max(checkpoint_id), min(started_at), sum(seconds)"
                                          " FROM sandglass_tasks WHERE thread_id = ?1 GROUP BY task_id");
        if (!rows)
            return std::move(rows.error());
        rows->bind(1, thread.value);
        while (true) {
            const auto row = rows->step();
            if (!row)
                return row.error();
            if (!*row)
                return {};
            const auto began = std::chrono::microseconds(rows->integer(2));
            tasks[std::string(rows->text(0))] = { std::string(rows->text(1)), isoTime(storedTime(began)),
                                                  rows->real(3) };
        }
    });
    if (!done)
        return std::move(done.error());
    return tasks;
}

Result<std::unordered_map<std::string, std::string>> readParents(const std::filesystem::path& database,
                                                                 const ThreadId& thread)
{
    auto file = CheckpointFile::openToRead(database);
    if (!file)
        return std::move(file.error());
    std::unordered_map<std::string, std::string> parents;
    auto done = (*file)->read([&](Connection& connection) -> Result<void> {
        if (!connection.schema.hasCheckpoints)
            return {};
        auto rows = connection.db.prepare("SELECT checkpoint_id, ifnull(parent_checkpoint_id, '')"
                                          " FROM checkpoints WHERE thread_id = ?1 AND checkpoint_ns = ''");
        if (!rows)
            return std::move(rows.error());
        rows->bind(1, thread.value);
        return sqlite::eachRow(*rows, [&] { parents.emplace(rows->text(0), rows->text(1)); });
    });
    if (!done)
        return std::move(done.error());
    return parents;
}

} // namespace sg::checkpoint
