#include "core/checkpoint/own_rows.h"

#include "core/checkpoint/run_log.h"
#include "core/checkpoint/sqlite/sqlite_dispatch_log.h"
#include "core/checkpoint/sqlite/sqlite_run_log.h"
#include "core/checkpoint/sqlite/sqlite_snapshot_log.h"
#include "core/sqlite/db.h"
#include "core/sqlite/each_row.h"

#include <chrono>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace sg::checkpoint {
namespace {

// Another program may hold the file for the time of a statement on a server (see history::Database).
constexpr std::chrono::milliseconds kPatience{ 100'000 };

struct Table {
    const char* name;
    const char* columns;
    const char* where; // ?1 is the thread; @ stands for the schema
    const char* order;
    bool stays = false; // a row that is there is the same one, or something is wrong
    std::int64_t OwnRows::*count = nullptr;
};

constexpr const char* kOfRuns = "run_id IN (SELECT run_id FROM @sandglass_runs WHERE thread_id = ?1)";

constexpr Table kTables[] = {
    { "sandglass_runs", "run_id, thread_id, graph, started_at, finished_at, status, error, supersteps",
      "thread_id = ?1", "rowid", false, &OwnRows::runs },
    { "sandglass_run_packages", "run_id, layer, pin", kOfRuns, "1, 2, 3" },
    { "sandglass_run_graphs", "run_id, hash", kOfRuns, "1" }, // tells which graphs are the thread's
    { "sandglass_graphs", "hash, text",
      "hash IN (SELECT hash FROM @sandglass_run_graphs JOIN @sandglass_runs USING (run_id) WHERE thread_id = "
      "?1)",
      "1", true },
    { "sandglass_tasks",
      "thread_id, checkpoint_ns, checkpoint_id, task_id, node, step, attempt, started_at, seconds, outcome, "
      "error, detail",
      "thread_id = ?1", "rowid", false, &OwnRows::tasks },
    { "sandglass_log", "run_id, seq, time, task_id, node, step, stream, bytes", kOfRuns, "1, 2", false,
      &OwnRows::log },
    { "sandglass_snapshots", "snapshot_id, thread_id, body", "thread_id = ?1", "place", true,
      &OwnRows::snapshots },
    { "sandglass_session_snapshots", "thread_id, checkpoint_ns, checkpoint_id, partial, part, snapshot_id",
      "thread_id = ?1", "2, 3, 4, 5" },
    { "sandglass_dispatches", "thread_id, task_id, number, digest, role, job, state", "thread_id = ?1",
      "2, 3", false, &OwnRows::dispatches },
};

constexpr const char* kForeignRuns =
    "SELECT run_id FROM source.sandglass_runs AS theirs JOIN main.sandglass_runs AS ours USING (run_id)"
    " WHERE theirs.thread_id = ?1 AND ours.thread_id <> ?1 LIMIT 1";
// ?1 is the console. Its numbers go on from those that are there, which may be another machine's.
constexpr const char* kAddConsole =
    "INSERT INTO main.sandglass_log (run_id, seq, time, task_id, node, step, stream, bytes)"
    " SELECT run_id, (SELECT coalesce(max(seq) + 1, 0) FROM main.sandglass_log WHERE run_id = ?1) - 1"
    "  + row_number() OVER (ORDER BY seq), time, task_id, node, step, stream, bytes"
    " FROM source.sandglass_log AS theirs WHERE run_id = ?1 AND NOT EXISTS (SELECT 1 FROM"
    " main.sandglass_log AS ours WHERE ours.run_id = ?1 AND ours.time = theirs.time AND ours.stream ="
    " theirs.stream AND ours.bytes = theirs.bytes)";
constexpr const char* kLostOfConsole =
    "SELECT count(*) FROM (SELECT time, stream, bytes FROM source.sandglass_log WHERE run_id = ?1"
    " EXCEPT SELECT time, stream, bytes FROM main.sandglass_log WHERE run_id = ?1)";

std::string of(const char* schema, std::string_view sql)
{
    std::string text;
    for (const char each : sql)
        if (each == '@')
            text += std::string(schema) + ".";
        else
            text += each;
    return text;
}

std::string rowsOf(const char* schema, const Table& table)
{
    return std::string(" FROM ") + schema + "." + table.name + " WHERE " + of(schema, table.where);
}

Result<std::int64_t> numberOf(sqlite::Db& db, const std::string& sql, const std::string& parameter)
{
    auto statement = db.prepare(sql);
    if (!statement)
        return std::move(statement.error());
    statement->bind(1, parameter);
    const auto row = statement->step();
    if (!row)
        return row.error();
    return *row ? statement->integer(0) : 0;
}

Result<bool> isInSource(sqlite::Db& db, const std::string& table)
{
    const auto found =
        numberOf(db, "SELECT count(*) FROM source.sqlite_master WHERE type = 'table' AND name = ?1", table);
    return found ? Result<bool>(*found > 0) : Result<bool>(found.error());
}

Result<void> checkRuns(sqlite::Db& db, const ThreadId& thread)
{
    auto statement = db.prepare(kForeignRuns);
    if (!statement)
        return std::move(statement.error());
    statement->bind(1, thread.value);
    const auto row = statement->step();
    if (!row)
        return row.error();
    if (!*row)
        return {};
    return Error{ Errc::Conflict,
                  "another thread there has a run " + std::string(statement->text(0)) + ", as thread "
                      + thread.value + " has here" };
}

Result<void> copyTable(sqlite::Db& db, const Table& table, const ThreadId& thread, NewerRows newer,
                       OwnRows& rows)
{
    const auto exists = isInSource(db, table.name);
    if (!exists || !*exists)
        return exists ? Result<void>() : Result<void>(exists.error());
    const std::string source = rowsOf("source", table);
    const bool stays = table.stays || newer == NewerRows::To;
    if (auto copied = db.run(std::string(stays ? "INSERT OR IGNORE" : "INSERT OR REPLACE") + " INTO main."
                                 + table.name + " (" + table.columns + ") SELECT " + table.columns + source
                                 + " ORDER BY " + table.order,
                             thread.value);
        !copied)
        return copied;
    const auto lost = numberOf(db,
                               std::string("SELECT count(*) FROM (SELECT ") + table.columns + source
                                   + " EXCEPT SELECT " + table.columns + rowsOf("main", table) + ")",
                               thread.value);
    if (!lost)
        return lost.error();
    if (*lost > 0 && (table.stays || !stays))
        return Error{ Errc::Conflict, std::to_string(*lost) + " rows differ from those there" };
    if (table.count == nullptr)
        return {};
    const auto count = numberOf(db, "SELECT count(*)" + source, thread.value);
    if (!count)
        return count.error();
    rows.*table.count += *count;
    return {};
}

Result<void> copyConsole(sqlite::Db& db, const ThreadId& thread, OwnRows& rows)
{
    const std::string console = consoleRun(thread).value;
    if (auto added = db.run(kAddConsole, console); !added)
        return added;
    const auto lost = numberOf(db, kLostOfConsole, console);
    if (!lost)
        return lost.error();
    if (*lost > 0)
        return Error{ Errc::Io, std::to_string(*lost) + " pieces of the console's output did not arrive" };
    const auto count = numberOf(db, "SELECT count(*) FROM source.sandglass_log WHERE run_id = ?1", console);
    if (!count)
        return count.error();
    rows.log += *count;
    return {};
}

// Copies the lists of files that the thread's snapshots use. Their name is made of what they hold.
Result<void> copyPieces(sqlite::Db& db, const ThreadId& thread)
{
    auto bodies = db.prepare("SELECT body FROM source.sandglass_snapshots WHERE thread_id = ?1");
    if (!bodies)
        return std::move(bodies.error());
    bodies->bind(1, thread.value);
    std::set<std::string> pieces;
    if (auto read = sqlite::eachRow(*bodies, [&] { pieces.merge(piecesIn(bodies->blob(0))); }); !read)
        return read;
    for (const std::string& piece : pieces)
        if (auto copied = db.run("INSERT OR IGNORE INTO main.sandglass_snapshot_pieces (name, bytes) SELECT "
                                 "name, bytes FROM source.sandglass_snapshot_pieces WHERE name = ?1",
                                 piece);
            !copied)
            return copied;
    return {};
}

Result<OwnRows> copyAll(sqlite::Db& db, const ThreadId& thread, NewerRows newer)
{
    if (auto made = SqliteRunLog::makeLaterTables(db); !made)
        return std::move(made.error());
    if (auto made = SqliteDispatchLog::makeTable(db); !made)
        return std::move(made.error());
    if (auto ours = checkRuns(db, thread); !ours)
        return std::move(ours.error());
    OwnRows rows;
    for (const Table& table : kTables)
        if (auto copied = copyTable(db, table, thread, newer, rows); !copied)
            return std::move(copied.error()).during(std::string("copy ") + table.name);
    if (auto copied = copyConsole(db, thread, rows); !copied)
        return std::move(copied.error()).during("copy sandglass_log");
    if (auto copied = copyPieces(db, thread); !copied)
        return std::move(copied.error()).during("copy sandglass_snapshot_pieces");
    return rows;
}

} // namespace

Result<OwnRows> copyOwnRows(const std::filesystem::path& from, const std::filesystem::path& to,
                            const ThreadId& thread, NewerRows newer)
{
    sqlite::DbOptions options;
    options.mode = sqlite::OpenMode::ReadWrite;
    options.busyTimeout = kPatience;
    options.synchronous = sqlite::Synchronous::Full;
    options.triggers = false;
    auto db = sqlite::Db::open(to, options);
    if (!db)
        return std::move(db.error());
    if (auto attached = db->run("ATTACH DATABASE ?1 AS source", from.string()); !attached)
        return std::move(attached.error()).during("open " + from.string());
    auto transaction = db->begin();
    if (!transaction)
        return std::move(transaction.error());
    auto rows = copyAll(*db, thread, newer);
    if (!rows)
        return std::move(rows.error()).during("copy what is recorded of thread " + thread.value);
    if (auto done = transaction->commit(); !done)
        return std::move(done.error());
    return rows;
}

} // namespace sg::checkpoint
