#include "core/checkpoint/sqlite/sqlite_run_log.h"

#include "core/base/hash.h"
#include "core/base/stored_time.h"
#include "core/checkpoint/log_records.h"
#include "core/sqlite/each_row.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace sg::checkpoint {

namespace {

constexpr const char* kSelectRuns =
    "SELECT run_id, thread_id, graph, started_at, finished_at, status, error, supersteps"
    " FROM sandglass_runs WHERE thread_id = ? ORDER BY started_at DESC, rowid DESC";
// SQLite takes the other columns from the row that has the maximum.
constexpr const char* kSelectLastRuns =
    "SELECT run_id, thread_id, graph, max(started_at), finished_at, status, error, supersteps"
    " FROM sandglass_runs GROUP BY thread_id ORDER BY max(started_at) DESC";
constexpr const char* kSelectTasks =
    "SELECT thread_id, checkpoint_ns, checkpoint_id, task_id, node, step, attempt, started_at, seconds, "
    "outcome, error,"
    " detail FROM sandglass_tasks WHERE thread_id = ? ORDER BY started_at, rowid";
constexpr const char* kSelectLog =
    "SELECT run_id, seq, time, task_id, node, step, stream, bytes FROM sandglass_log"
    " WHERE run_id = ? AND seq >= ? ORDER BY seq LIMIT ?";
constexpr const char* kSelectLogEnd =
    "SELECT run_id, seq, time, task_id, node, step, stream, bytes FROM sandglass_log"
    " WHERE run_id = ? ORDER BY seq DESC LIMIT ?";

// A run makes these tables when it first needs them; files of earlier versions lack them.
constexpr const char* kPackagesTable =
    "CREATE TABLE IF NOT EXISTS sandglass_run_packages (run_id TEXT NOT NULL, layer TEXT NOT NULL,"
    " pin TEXT NOT NULL, PRIMARY KEY (run_id, layer, pin)) WITHOUT ROWID";

constexpr const char* kGraphTables =
    "CREATE TABLE IF NOT EXISTS sandglass_graphs (hash TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS sandglass_run_graphs (run_id TEXT PRIMARY KEY, hash TEXT NOT NULL)"
    " WITHOUT ROWID";

std::int64_t microseconds(WallTime time)
{
    return std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
}

WallTime wallTime(std::int64_t microseconds)
{
    return storedTime(std::chrono::microseconds(microseconds));
}

std::string textAt(const sqlite::Statement& row, int column)
{
    return std::string(row.text(column));
}

RunRecord readRun(const sqlite::Statement& row)
{
    RunRecord run;
    run.id = RunId(textAt(row, 0));
    run.thread = ThreadId(textAt(row, 1));
    run.graph = textAt(row, 2);
    run.startedAt = wallTime(row.integer(3));
    if (!row.isNull(4))
        run.finishedAt = wallTime(row.integer(4));
    run.status = runStatusNamed(row.text(5));
    run.error = textAt(row, 6);
    run.supersteps = row.integer(7);
    return run;
}

TaskRecord readTask(const sqlite::Statement& row)
{
    TaskRecord task;
    task.checkpoint = { ThreadId(textAt(row, 0)), textAt(row, 1), CheckpointId(textAt(row, 2)) };
    task.task = TaskId(textAt(row, 3));
    task.node = NodeId(textAt(row, 4));
    task.step = row.integer(5);
    task.attempt = row.integer(6);
    task.startedAt = wallTime(row.integer(7));
    task.seconds = row.real(8);
    task.outcome = taskOutcomeNamed(row.text(9));
    task.error = textAt(row, 10);
    task.detail = textAt(row, 11);
    return task;
}

LogRecord readLog(const sqlite::Statement& row)
{
    LogRecord record;
    record.run = RunId(textAt(row, 0));
    record.seq = row.integer(1);
    record.time = wallTime(row.integer(2));
    record.task = TaskId(textAt(row, 3));
    record.node = NodeId(textAt(row, 4));
    record.step = row.integer(5);
    record.stream = textAt(row, 6);
    record.bytes = row.blob(7);
    return record;
}

template<typename Record>
Result<void> readAll(sqlite::Statement& rows, Record (*read)(const sqlite::Statement&),
                     std::vector<Record>& out)
{
    return sqlite::eachRow(rows, [&] { out.push_back(read(rows)); });
}

// Returns nothing if the file has no tables of ours.
template<typename Record, typename... Args>
Result<std::vector<Record>> selectRows(CheckpointFile& file, const char* sql,
                                       Record (*read)(const sqlite::Statement&), const Args&... args)
{
    std::vector<Record> records;
    auto done = file.read([&](Connection& connection) -> Result<void> {
        if (!connection.schema.hasRunLog)
            return {};
        auto rows = connection.db.cached(sql);
        if (!rows)
            return std::move(rows.error());
        int index = 0;
        (rows->bind(++index, args), ...);
        return readAll(*rows, read, records);
    });
    if (!done)
        return std::move(done.error());
    return records;
}

Result<bool> hasOurTable(sqlite::Db& db, const char* name)
{
    auto table = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
    if (!table)
        return std::move(table.error());
    table->bind(1, std::string(name));
    return table->step();
}

Result<std::int64_t> nextSeq(sqlite::Db& db, const RunId& run)
{
    auto statement = db.cached("SELECT coalesce(max(seq) + 1, 0) FROM sandglass_log WHERE run_id = ?");
    if (!statement)
        return std::move(statement.error());
    statement->bind(1, run.value);
    if (auto row = statement->step(); !row)
        return std::move(row.error());
    return statement->integer(0);
}

} // namespace

Result<void> SqliteRunLog::startRun(const RunRecord& run)
{
    return m_file.write([&](sqlite::Db& db) {
        std::optional<std::int64_t> finishedAt;
        if (run.finishedAt)
            finishedAt = microseconds(*run.finishedAt);
        return db.run("INSERT OR REPLACE INTO sandglass_runs (run_id, thread_id, graph, started_at, "
                      "finished_at, status,"
                      " error, supersteps) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                      run.id.value, run.thread.value, run.graph, microseconds(run.startedAt), finishedAt,
                      runStatusName(run.status), run.error, run.supersteps);
    });
}

Result<void> SqliteRunLog::finishRun(const RunId& run, WallTime at, RunStatus status,
                                     const std::string& error, std::int64_t supersteps)
{
    return m_file.write([&](sqlite::Db& db) {
        return db.run("UPDATE sandglass_runs SET finished_at = ?, status = ?, error = ?, supersteps = ? "
                      "WHERE run_id = ?",
                      microseconds(at), runStatusName(status), error, supersteps, run.value);
    });
}

// A layer without packages has one row with no pin.
Result<void> SqliteRunLog::addPackages(const RunId& run, const RunPackages& packages)
{
    return m_file.write([&](sqlite::Db& db) -> Result<void> {
        if (auto made = db.exec(kPackagesTable); !made)
            return made;
        std::vector<std::string> pins = packages.pins;
        if (pins.empty())
            pins.emplace_back();
        for (const std::string& pin : pins)
            if (auto added = db.run(
                    "INSERT OR REPLACE INTO sandglass_run_packages (run_id, layer, pin) VALUES (?, ?, ?)",
                    run.value, packages.layer, pin);
                !added)
                return added;
        return {};
    });
}

Result<void> SqliteRunLog::addGraph(const RunId& run, const std::string& text)
{
    const std::string hash = xxh3Hex(text); // starting OpenSSL would cost each run 3 ms
    return m_file.write([&](sqlite::Db& db) -> Result<void> {
        if (auto made = db.exec(kGraphTables); !made)
            return made;
        if (auto added =
                db.run("INSERT OR IGNORE INTO sandglass_graphs (hash, text) VALUES (?, ?)", hash, text);
            !added)
            return added;
        return db.run("INSERT OR REPLACE INTO sandglass_run_graphs (run_id, hash) VALUES (?, ?)", run.value,
                      hash);
    });
}

Result<std::optional<std::string>> SqliteRunLog::graphOf(const RunId& run)
{
    std::optional<std::string> found;
    auto done = m_file.read([&](Connection& connection) -> Result<void> {
        const auto isThere = hasOurTable(connection.db, "sandglass_run_graphs");
        if (!isThere || !*isThere)
            return isThere ? Result<void>() : isThere.error();
        auto rows = connection.db.prepare("SELECT text FROM sandglass_run_graphs JOIN sandglass_graphs"
                                          " USING (hash) WHERE run_id = ?");
        if (!rows)
            return std::move(rows.error());
        rows->bind(1, run.value);
        const auto row = rows->step();
        if (row && *row)
            found = textAt(*rows, 0);
        return row ? Result<void>() : row.error();
    });
    if (!done)
        return std::move(done.error());
    return found;
}

Result<std::vector<RunPackages>> SqliteRunLog::packagesOf(const RunId& run)
{
    std::vector<RunPackages> found;
    auto done = m_file.read([&](Connection& connection) -> Result<void> {
        const auto isThere = hasOurTable(connection.db, "sandglass_run_packages");
        if (!isThere || !*isThere)
            return isThere ? Result<void>() : isThere.error();
        auto rows = connection.db.prepare(
            "SELECT layer, pin FROM sandglass_run_packages WHERE run_id = ? ORDER BY layer, pin");
        if (!rows)
            return std::move(rows.error());
        rows->bind(1, run.value);
        while (true) {
            const auto row = rows->step();
            if (!row || !*row)
                return row ? Result<void>() : row.error();
            if (found.empty() || found.back().layer != rows->text(0))
                found.push_back({ textAt(*rows, 0), {} });
            if (!rows->text(1).empty())
                found.back().pins.push_back(textAt(*rows, 1));
        }
    });
    if (!done)
        return std::move(done.error());
    return found;
}

Result<void> SqliteRunLog::addTasks(const std::vector<TaskRecord>& tasks)
{
    if (tasks.empty())
        return {};
    const auto insert = [&](sqlite::Db& db) -> Result<void> {
        for (const TaskRecord& task : tasks) {
            auto done = db.run(
                "INSERT OR REPLACE INTO sandglass_tasks (thread_id, checkpoint_ns, checkpoint_id, "
                "task_id, node,"
                " step, attempt, started_at, seconds, outcome, error, detail)"
                " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7 + (SELECT coalesce(max(attempt), 0) FROM sandglass_tasks"
                " WHERE thread_id = ?1 AND checkpoint_ns = ?2 AND checkpoint_id = ?3 AND task_id = ?4"
                " AND started_at < ?8 AND outcome IN ('interrupted', 'failed')), ?8, ?9, ?10, ?11, ?12)",
                task.checkpoint.thread.value, task.checkpoint.ns, task.checkpoint.id.value, task.task.value,
                task.node.value, task.step, task.attempt, microseconds(task.startedAt), task.seconds,
                taskOutcomeName(task.outcome), task.error, task.detail);
            if (!done)
                return done;
        }
        return {};
    };
    return m_file.write(insert, CheckpointFile::Commit::Beside);
}

Result<void> SqliteRunLog::addLog(const std::vector<LogRecord>& records)
{
    if (records.empty())
        return {};
    const auto insert = [&](sqlite::Db& db) -> Result<void> {
        const RunId* run = nullptr;
        std::int64_t seq = 0;
        for (const LogRecord& record : records) {
            if (run == nullptr || *run != record.run) {
                const auto next = nextSeq(db, record.run);
                if (!next)
                    return next.error();
                seq = *next;
                run = &record.run;
            }
            auto done =
                db.run("INSERT INTO sandglass_log (run_id, seq, time, task_id, node, step, stream, bytes)"
                       " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                       record.run.value, seq++, microseconds(record.time), record.task.value,
                       record.node.value, record.step, record.stream, sqlite::Blob{ record.bytes });
            if (!done)
                return done;
        }
        return {};
    };
    return m_file.write(insert, CheckpointFile::Commit::Beside);
}

Result<std::vector<RunRecord>> SqliteRunLog::runs(const ThreadId& thread)
{
    return selectRows(m_file, kSelectRuns, readRun, thread.value);
}

Result<std::vector<RunRecord>> SqliteRunLog::lastRuns()
{
    return selectRows(m_file, kSelectLastRuns, readRun);
}

Result<std::vector<TaskRecord>> SqliteRunLog::tasksOf(const ThreadId& thread)
{
    return selectRows(m_file, kSelectTasks, readTask, thread.value);
}

Result<std::vector<LogRecord>> SqliteRunLog::logOf(const RunId& run, std::int64_t from, std::int64_t limit)
{
    return selectRows(m_file, kSelectLog, readLog, run.value, from, limit);
}

Result<std::vector<LogRecord>> SqliteRunLog::logTail(const ThreadId& thread, std::int64_t limit)
{
    const auto runsOfThread = runs(thread);
    if (!runsOfThread)
        return runsOfThread.error();
    std::vector<LogRecord> tail; // newest first
    for (const RunRecord& run : *runsOfThread) {
        const std::int64_t missing = limit - std::ssize(tail);
        if (missing <= 0)
            break;
        auto end = selectRows(m_file, kSelectLogEnd, readLog, run.id.value, missing);
        if (!end)
            return end;
        std::ranges::move(*end, std::back_inserter(tail));
    }
    std::ranges::reverse(tail);
    auto console = selectRows(m_file, kSelectLogEnd, readLog, consoleRun(thread).value, limit);
    if (!console || console->empty())
        return console ? Result<std::vector<LogRecord>>(std::move(tail)) : std::move(console.error());
    std::ranges::reverse(*console);
    return newestOfBoth(tail, *console, limit);
}

Result<void> SqliteRunLog::makeLaterTables(sqlite::Db& db)
{
    for (const char* tables : { kPackagesTable, kGraphTables })
        if (auto made = db.exec(tables); !made)
            return made;
    return {};
}

Result<void> SqliteRunLog::deleteThread(sqlite::Db& db, const ThreadId& thread)
{
    if (auto made = makeLaterTables(db); !made)
        return made;
    for (const char* sql : { "DELETE FROM sandglass_run_graphs WHERE run_id IN (SELECT run_id FROM "
                             "sandglass_runs WHERE thread_id = ?)",
                             "DELETE FROM sandglass_run_packages WHERE run_id IN (SELECT run_id FROM "
                             "sandglass_runs WHERE thread_id = ?)",
                             "DELETE FROM sandglass_log WHERE run_id IN (SELECT run_id FROM sandglass_runs "
                             "WHERE thread_id = ?)",
                             "DELETE FROM sandglass_log WHERE run_id = 'console:' || ?",
                             "DELETE FROM sandglass_tasks WHERE thread_id = ?",
                             "DELETE FROM sandglass_runs WHERE thread_id = ?" }) {
        if (auto done = db.run(sql, thread.value); !done)
            return done;
    }
    return db.run("DELETE FROM sandglass_graphs WHERE hash NOT IN (SELECT hash FROM sandglass_run_graphs)");
}

} // namespace sg::checkpoint
