// bench-raw-sqlite --workload W1 --src FILE [--n N] [--sync FULL|NORMAL] [--batch K]
//
// The bound that bench-engine is measured against: SQLite alone, with the rows of FILE, which bench-engine
// wrote (--db). They are held in memory and inserted into a new database of the same tables, one transaction
// for each checkpoint with the writes that stand before it, or one for K checkpoints. Prints a JSON line.

#include <sqlite3.h>

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

using Steady = std::chrono::steady_clock;
using Row = std::vector<std::string>;

constexpr const char* kTables =
    "CREATE TABLE checkpoints (thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', "
    "checkpoint_id "
    "TEXT NOT NULL, parent_checkpoint_id TEXT, type TEXT, checkpoint BLOB, metadata BLOB, PRIMARY KEY "
    "(thread_id, checkpoint_ns, checkpoint_id));"
    "CREATE TABLE writes (thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id "
    "TEXT "
    "NOT NULL, task_id TEXT NOT NULL, task_path TEXT NOT NULL DEFAULT '', idx INTEGER NOT NULL, channel TEXT "
    "NOT NULL, type TEXT, value BLOB, PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx))";
constexpr const char* kCheckpointColumns =
    "thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata";
constexpr const char* kWriteColumns =
    "thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value";
constexpr int kCheckpointBlobs = 5; // columns from here on are blobs
constexpr int kWriteIndex = 5;
constexpr int kWriteBlobs = 8;

sqlite3* open(const std::string& path, int flags)
{
    sqlite3* db = nullptr;
    if (sqlite3_open_v2(path.c_str(), &db, flags, nullptr) != SQLITE_OK) {
        std::fprintf(stderr, "%s: %s\n", path.c_str(), sqlite3_errmsg(db));
        std::exit(1);
    }
    return db;
}

void check(sqlite3* db, int code)
{
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW)
        return;
    std::fprintf(stderr, "%s\n", sqlite3_errmsg(db));
    std::exit(1);
}

sqlite3_stmt* prepare(sqlite3* db, const std::string& sql)
{
    sqlite3_stmt* statement = nullptr;
    check(db, sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr));
    return statement;
}

Row rowOf(sqlite3_stmt* statement)
{
    Row row;
    const int columns = sqlite3_column_count(statement);
    row.reserve(static_cast<std::size_t>(columns));
    for (int i = 0; i < columns; ++i) {
        const void* bytes = sqlite3_column_blob(statement, i);
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, i));
        row.emplace_back(bytes == nullptr ? "" : static_cast<const char*>(bytes),
                         bytes == nullptr ? 0 : size);
    }
    return row;
}

void run(sqlite3* db, sqlite3_stmt* statement)
{
    check(db, sqlite3_step(statement));
    sqlite3_reset(statement);
}

void bind(sqlite3_stmt* statement, int index, const std::string& text)
{
    sqlite3_bind_text(statement, index, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
}

double secondsSince(Steady::time_point start)
{
    return std::chrono::duration<double>(Steady::now() - start).count();
}

double cpuSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

struct Options {
    std::string workload = "W1";
    std::string source;
    std::string sync = "FULL";
    long n = 0;
    long batch = 1;

    [[nodiscard]] long supersteps(long checkpoints) const
    {
        const std::map<std::string, long> own{ { "W1", 1000 },  { "W2", 300 },  { "W3", 20 },  { "W4", 1000 },
                                               { "W4D", 1000 }, { "W5", 1000 }, { "W7", 1000 } };
        const auto found = own.find(workload);
        const long count = n > 0 ? n : found == own.end() ? checkpoints : found->second;
        if (workload == "W2" || workload == "W3")
            return 2 * count;
        if (workload == "W5")
            return 5 * count;
        return workload == "W7" ? count / 100 : count;
    }
};

struct Measured {
    double seconds = 0;
    double cpu = 0;
    long supersteps = 0;
};

class Replay {
public:
    explicit Replay(const Options& options)
        : m_options(options)
    {
        sqlite3* db = open(options.source, SQLITE_OPEN_READONLY);
        sqlite3_stmt* rows =
            prepare(db, std::string("SELECT ") + kCheckpointColumns + " FROM checkpoints ORDER BY rowid");
        while (sqlite3_step(rows) == SQLITE_ROW)
            m_checkpoints.push_back(rowOf(rows));
        sqlite3_finalize(rows);
        rows = prepare(db, std::string("SELECT ") + kWriteColumns + " FROM writes ORDER BY rowid");
        while (sqlite3_step(rows) == SQLITE_ROW) {
            Row row = rowOf(rows);
            std::string key = row[0] + '|' + row[2];
            m_writes[std::move(key)].push_back(std::move(row));
        }
        sqlite3_finalize(rows);
        sqlite3_close(db);
    }

    Measured run()
    {
        const std::string target = m_options.source + ".raw-" + std::to_string(getpid());
        m_db = open(target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
        for (const std::string& sql : { std::string("PRAGMA journal_mode=WAL"),
                                        "PRAGMA synchronous=" + m_options.sync, std::string(kTables) })
            check(m_db, sqlite3_exec(m_db, sql.c_str(), nullptr, nullptr, nullptr));
        const Measured measured = insert();
        sqlite3_close(m_db);
        std::error_code ignored;
        for (const char* suffix : { "", "-wal", "-shm" })
            std::filesystem::remove(target + suffix, ignored);
        return measured;
    }

private:
    Measured insert()
    {
        m_checkpoint = prepare(m_db,
                               std::string("INSERT OR REPLACE INTO checkpoints (") + kCheckpointColumns
                                   + ") VALUES (?, ?, ?, ?, ?, ?, ?)");
        m_write = prepare(m_db,
                          std::string("INSERT OR IGNORE INTO writes (") + kWriteColumns
                              + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
        sqlite3_stmt* begin = prepare(m_db, "BEGIN");
        sqlite3_stmt* commit = prepare(m_db, "COMMIT");
        const double cpuStart = cpuSeconds();
        const auto start = Steady::now();
        long open = 0;
        for (const Row& row : m_checkpoints) {
            if (open == 0)
                ::run(m_db, begin);
            const auto writes = m_writes.find(row[0] + '|' + row[3]);
            if (writes != m_writes.end())
                for (const Row& write : writes->second)
                    add(write);
            addCheckpoint(row);
            if (++open == m_options.batch) {
                ::run(m_db, commit);
                open = 0;
            }
        }
        if (open != 0)
            ::run(m_db, commit);
        Measured measured{ secondsSince(start), cpuSeconds() - cpuStart,
                           m_options.supersteps(static_cast<long>(m_checkpoints.size())) };
        for (sqlite3_stmt* statement : { m_checkpoint, m_write, begin, commit })
            sqlite3_finalize(statement);
        return measured;
    }

    void add(const Row& row)
    {
        for (int i = 0; i < static_cast<int>(row.size()); ++i) {
            const std::string& cell = row[static_cast<std::size_t>(i)];
            if (i == kWriteIndex)
                sqlite3_bind_int64(m_write, i + 1, std::atoll(cell.c_str()));
            else if (i >= kWriteBlobs)
                sqlite3_bind_blob(m_write, i + 1, cell.data(), static_cast<int>(cell.size()), SQLITE_STATIC);
            else
                bind(m_write, i + 1, cell);
        }
        ::run(m_db, m_write);
    }

    void addCheckpoint(const Row& row)
    {
        for (int i = 0; i < static_cast<int>(row.size()); ++i) {
            const std::string& cell = row[static_cast<std::size_t>(i)];
            if (i >= kCheckpointBlobs)
                sqlite3_bind_blob(m_checkpoint, i + 1, cell.data(), static_cast<int>(cell.size()),
                                  SQLITE_STATIC);
            else if (i == 3 && cell.empty())
                sqlite3_bind_null(m_checkpoint, i + 1);
            else
                bind(m_checkpoint, i + 1, cell);
        }
        ::run(m_db, m_checkpoint);
    }

    const Options& m_options;
    std::vector<Row> m_checkpoints;
    std::unordered_map<std::string, std::vector<Row>> m_writes; // by thread and checkpoint
    sqlite3* m_db = nullptr;
    sqlite3_stmt* m_checkpoint = nullptr;
    sqlite3_stmt* m_write = nullptr;
};

} // namespace

int main(int argc, char** argv)
{
    Options options;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string name = argv[i];
        const std::string value = argv[i + 1];
        if (name == "--workload")
            options.workload = value;
        else if (name == "--src")
            options.source = value;
        else if (name == "--sync")
            options.sync = value;
        else if (name == "--n")
            options.n = std::atol(value.c_str());
        else if (name == "--batch")
            options.batch = std::atol(value.c_str());
    }
    if (options.source.empty() || options.batch < 1) {
        std::fputs(
            "usage: bench-raw-sqlite --workload W1 --src FILE [--n N] [--sync FULL|NORMAL] [--batch K]\n",
            stderr);
        return 2;
    }
    const Measured measured = Replay(options).run();
    std::printf("{\"peer\": \"raw-sqlite\", \"workload\": \"%s\", \"sync\": \"%s\", \"batch\": %ld, "
                "\"supersteps\": %ld, "
                "\"wall_s\": %.6f, \"cpu_s\": %.6f, \"per_step_us\": %.3f}\n",
                options.workload.c_str(), options.sync.c_str(), options.batch, measured.supersteps,
                measured.seconds, measured.cpu,
                measured.seconds / static_cast<double>(measured.supersteps) * 1e6);
    return 0;
}
