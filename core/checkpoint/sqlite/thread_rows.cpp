#include "core/checkpoint/thread_rows.h"

#include "core/base/hash.h"
#include "core/base/msgpack.h"
#include "core/checkpoint/run_log.h"
#include "core/checkpoint/sqlite/sqlite_run_log.h"
#include "core/checkpoint/sqlite/sqlite_snapshot_log.h"
#include "core/sqlite/db.h"
#include "core/sqlite/each_row.h"

#include <fstream>
#include <set>
#include <system_error>

namespace sg::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestRow = 1U << 30;
constexpr const char* kEnding = ".rows";

struct Table {
    const char* name;
    const char* columns; // in order; thread and run are known by name
    const char* where; // ?1 is the thread
    const char* order; // makes equal rows an equal file
    bool isShared; // other threads may have these rows, too; existing ones stay
    bool isLater = false; // files of earlier versions lack it
};

constexpr const char* kGraphs = "sandglass_graphs";

constexpr Table kTables[] = {
    { "checkpoints", "thread_id,checkpoint_ns,checkpoint_id,parent_checkpoint_id,type,checkpoint,metadata",
      "thread_id = ?1", "2, 3", false },
    { "writes", "thread_id,checkpoint_ns,checkpoint_id,task_id,task_path,idx,channel,type,value",
      "thread_id = ?1", "2, 3, 4, 6", false },
    { "sandglass_runs", "run_id,thread_id,graph,started_at,finished_at,status,error,supersteps",
      "thread_id = ?1", "1", false },
    { "sandglass_run_packages", "run_id,layer,pin",
      "run_id IN (SELECT run_id FROM sandglass_runs WHERE thread_id = ?1)", "1, 2, 3", false },
    { kGraphs, "hash,text",
      "hash IN (SELECT hash FROM sandglass_run_graphs JOIN sandglass_runs USING (run_id) WHERE thread_id = "
      "?1)",
      "1", true, true },
    { "sandglass_run_graphs", "run_id,hash",
      "run_id IN (SELECT run_id FROM sandglass_runs WHERE thread_id = ?1)", "1", false, true },
    { "sandglass_tasks",
      "thread_id,checkpoint_ns,checkpoint_id,task_id,node,step,attempt,started_at,seconds,outcome,error,"
      "detail",
      "thread_id = ?1", "2, 3, 4, 7", false },
    { "sandglass_log", "run_id,seq,time,task_id,node,step,stream,bytes",
      "run_id IN (SELECT run_id FROM sandglass_runs WHERE thread_id = ?1) OR run_id = 'console:' || ?1",
      "1, 2", false },
    { "sandglass_snapshots", "snapshot_id,thread_id,body", "thread_id = ?1", "place", true },
    { "sandglass_session_snapshots", "thread_id,checkpoint_ns,checkpoint_id,partial,part,snapshot_id",
      "thread_id = ?1", "2, 3, 4, 5", false },
    { "sandglass_snapshot_pieces", "name,bytes", "?1 = ?1", "1", true },
};

std::vector<std::string> columnsOf(const Table& table)
{
    std::vector<std::string> names(1);
    for (const char* at = table.columns; *at != '\0'; ++at)
        if (*at == ',')
            names.emplace_back();
        else
            names.back() += *at;
    return names;
}

Result<bool> tableExists(sqlite::Db& db, const std::string& name)
{
    auto statement = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1");
    if (!statement)
        return std::move(statement.error());
    statement->bind(1, name);
    return statement->step();
}

Value valueOf(const sqlite::Statement& row, int column)
{
    switch (row.type(column)) {
    case sqlite::ColumnType::Null: return {};
    case sqlite::ColumnType::Integer: return row.integer(column);
    case sqlite::ColumnType::Real: return row.real(column);
    case sqlite::ColumnType::Text: return Value(ValueList{ Value(Bytes{ std::string(row.text(column)) }) });
    case sqlite::ColumnType::Blob: return Bytes{ std::string(row.blob(column)) };
    }
    return {};
}

class RowsFile {
public:
    explicit RowsFile(const fs::path& path)
        : m_path(path)
        , m_file(path, std::ios::binary)
    {
    }
    void add(const Value& row)
    {
        const std::string bytes = encodeMsgpack(row);
        const auto size = static_cast<std::uint32_t>(bytes.size());
        const char head[] = { static_cast<char>(size >> 24), static_cast<char>(size >> 16),
                              static_cast<char>(size >> 8), static_cast<char>(size) };
        m_file.write(head, sizeof head);
        m_file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    Result<void> close()
    {
        m_file.close();
        if (m_file.fail())
            return Error{ Errc::Io, "write " + m_path.string() + ": the disk may be full" };
        return {};
    }

private:
    const fs::path m_path;
    std::ofstream m_file;
};

std::string textOf(const Value& value)
{
    return value.isList() && !value.asList().empty() && value[0].isBytes() ? std::string(value[0].asBytes())
                                                                           : std::string();
}

Result<void> bindValue(sqlite::Statement& statement, int index, const Value& value)
{
    if (value.isNull())
        statement.bind(index, nullptr);
    else if (value.isInt())
        statement.bind(index, value.asInt());
    else if (value.isDouble())
        statement.bind(index, value.asDouble());
    else if (value.isBytes())
        statement.bind(index, sqlite::Blob{ value.asBytes() });
    else if (value.isList() && value.asList().size() == 1 && value[0].isBytes())
        statement.bind(index, std::string_view(value[0].asBytes()));
    else
        return Error{ Errc::Corrupt, "a value that no row holds" };
    return {};
}

Result<std::int64_t> writeTable(sqlite::Db& db, const Table& table, const ThreadId& thread,
                                const fs::path& folder, std::set<std::string>& pieces)
{
    RowsFile file(folder / (std::string(table.name) + kEnding));
    std::int64_t rows = 0;
    const auto exists = tableExists(db, table.name);
    if (!exists)
        return exists.error();
    if (*exists) {
        auto statement = db.prepare(std::string("SELECT ") + table.columns + " FROM " + table.name + " WHERE "
                                    + table.where + " ORDER BY " + table.order);
        if (!statement)
            return std::move(statement.error());
        statement->bind(1, thread.value);
        const auto read = sqlite::eachRow(*statement, [&]() -> Result<void> {
            if (std::string_view(table.name) == "sandglass_snapshot_pieces"
                && !pieces.contains(std::string(statement->text(0))))
                return {};
            if (std::string_view(table.name) == "sandglass_snapshots")
                pieces.merge(piecesIn(statement->blob(2)));
            ValueList row;
            for (int column = 0; column < statement->columnCount(); ++column)
                row.push_back(valueOf(*statement, column));
            file.add(Value(std::move(row)));
            ++rows;
            return {};
        });
        if (!read)
            return read.error();
    }
    if (auto closed = file.close(); !closed)
        return std::move(closed.error());
    return rows;
}

struct Renamed {
    const ThreadId& thread;
    const std::map<std::string, std::string>& runs;
    std::int64_t consoleSeq; // the next number in the log of its console here
};

bool isOfConsole(const std::string& run)
{
    return run.starts_with(kConsoleRun);
}

std::string newRun(const std::string& run, const Renamed& renamed)
{
    if (isOfConsole(run))
        return consoleRun(renamed.thread).value;
    const auto found = renamed.runs.find(run);
    return found == renamed.runs.end() ? run : found->second;
}

Result<void> readTable(sqlite::Db& db, const Table& table, const Renamed& renamed, const fs::path& folder)
{
    const std::vector<std::string> columns = columnsOf(table);
    std::string places;
    for (std::size_t i = 0; i < columns.size(); ++i)
        places += (i == 0 ? "?" : ",?") + std::to_string(i + 1);
    const std::string sql = std::string("INSERT ") + (table.isShared ? "OR IGNORE " : "") + "INTO "
        + table.name + " (" + table.columns + ") VALUES (" + places + ")";
    const fs::path file = folder / (std::string(table.name) + kEnding);
    std::error_code failed;
    if (table.isLater && !fs::exists(file, failed))
        return {};
    return eachThreadRow(file, [&](const Value& row) -> Result<void> {
        if (row.asList().size() != columns.size())
            return Error{ Errc::Corrupt, std::string(table.name) + ": a row of another shape" };
        // Graphs are shared by hash: with a wrong one a graph would replace those of other threads.
        if (table.name == kGraphs && textOf(row[0]) != xxh3Hex(textOf(row[1])))
            return Error{ Errc::Corrupt, "a graph that is not what its hash says" };
        auto statement = db.cached(sql);
        if (!statement)
            return std::move(statement.error());
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const int place = static_cast<int>(i) + 1;
            const std::string text = textOf(row[i]);
            if (columns[i] == "thread_id")
                statement->bind(place, renamed.thread.value);
            else if (columns[i] == "run_id" && text.starts_with(kConsoleRun))
                statement->bind(place, consoleRun(renamed.thread).value);
            else if (columns[i] == "run_id")
                statement->bind(place, newRun(text, renamed));
            else if (columns[i] == "seq" && row[i].isInt() && isOfConsole(textOf(row[0])))
                statement->bind(place, renamed.consoleSeq + row[i].asInt());
            else if (auto bound = bindValue(*statement, place, row[i]); !bound)
                return bound;
        }
        return statement->run();
    });
}

Result<std::int64_t> consoleEnd(sqlite::Db& db, const ThreadId& thread)
{
    auto statement = db.prepare("SELECT coalesce(max(seq) + 1, 0) FROM sandglass_log WHERE run_id = ?1");
    if (!statement)
        return std::move(statement.error());
    statement->bind(1, consoleRun(thread).value);
    if (const auto row = statement->step(); !row)
        return row.error();
    return statement->integer(0);
}

Result<sqlite::Db> openDatabase(const fs::path& database, sqlite::OpenMode mode)
{
    sqlite::DbOptions options;
    options.mode = mode;
    options.synchronous = sqlite::Synchronous::Full;
    options.triggers = false;
    return sqlite::Db::open(database, options);
}

} // namespace

Result<void> eachThreadRow(const fs::path& file, const std::function<Result<void>(const Value&)>& take)
{
    std::ifstream source(file, std::ios::binary);
    if (!source)
        return Error{ Errc::NotFound, file.filename().string() + " is missing" };
    const Error broken{ Errc::Corrupt, file.filename().string() + ": no rows of a thread" };
    unsigned char head[4];
    std::string bytes;
    while (source.read(reinterpret_cast<char*>(head), sizeof head)) {
        const std::size_t size = static_cast<std::size_t>(head[0]) << 24
            | static_cast<std::size_t>(head[1]) << 16 | static_cast<std::size_t>(head[2]) << 8 | head[3];
        if (size > kLongestRow)
            return broken;
        bytes.clear();
        while (bytes.size() < size) { // memory grows with the file's bytes, whatever size it claims
            const std::size_t had = bytes.size();
            bytes.resize(std::min(size, had + (1U << 20)));
            if (!source.read(bytes.data() + had, static_cast<std::streamsize>(bytes.size() - had)))
                return broken;
        }
        const auto row = decodeMsgpack(bytes);
        if (!row || !row->isList())
            return broken;
        if (auto taken = take(*row); !taken)
            return taken;
    }
    return source.gcount() == 0 ? Result<void>() : Result<void>(broken);
}

Result<std::map<std::string, std::int64_t>> writeThreadRows(const fs::path& database, const ThreadId& thread,
                                                            const fs::path& folder)
{
    auto db = openDatabase(database, sqlite::OpenMode::ReadOnly);
    if (!db)
        return std::move(db.error());
    auto view = db->beginRead();
    if (!view)
        return std::move(view.error());
    std::map<std::string, std::int64_t> rows;
    std::set<std::string> pieces;
    for (const Table& table : kTables) {
        auto written = writeTable(*db, table, thread, folder, pieces);
        if (!written)
            return std::move(written.error()).during(std::string("read ") + table.name);
        rows[std::string(table.name) + kEnding] = *written;
    }
    if (rows["checkpoints.rows"] == 0)
        return Error{ Errc::NotFound, "there is no thread " + thread.value };
    return rows;
}

Result<void> readThreadRows(const fs::path& database, const ThreadId& thread,
                            const std::map<std::string, std::string>& runs, const fs::path& folder)
{
    auto db = openDatabase(database, sqlite::OpenMode::ReadWrite);
    if (!db)
        return std::move(db.error());
    auto transaction = db->begin();
    if (!transaction)
        return std::move(transaction.error());
    {
        auto known = db->prepare("SELECT 1 FROM checkpoints WHERE thread_id = ?1 LIMIT 1");
        if (!known)
            return std::move(known.error());
        known->bind(1, thread.value);
        const auto found = known->step();
        if (!found)
            return found.error();
        if (*found)
            return Error{ Errc::Exists,
                          "there is a thread " + thread.value + " already; import it under another name" };
    }
    if (auto made = SqliteRunLog::makeLaterTables(*db); !made)
        return made;
    const auto consoleSeq = consoleEnd(*db, thread);
    if (!consoleSeq)
        return consoleSeq.error();
    for (const Table& table : kTables)
        if (auto read = readTable(*db, table, { thread, runs, *consoleSeq }, folder); !read)
            return std::move(read.error()).during(std::string("write ") + table.name);
    return transaction->commit();
}

Result<std::vector<RunId>> runsInRows(const fs::path& folder)
{
    std::vector<RunId> runs;
    auto read = eachThreadRow(folder / "sandglass_runs.rows", [&runs](const Value& row) -> Result<void> {
        if (!row.asList().empty())
            runs.emplace_back(textOf(row[0]));
        return {};
    });
    if (!read)
        return std::move(read.error());
    return runs;
}

Result<std::vector<RunId>> knownRuns(const fs::path& database, const std::vector<RunId>& runs)
{
    auto db = openDatabase(database, sqlite::OpenMode::ReadOnly);
    if (!db)
        return std::move(db.error());
    std::vector<RunId> known;
    for (const RunId& run : runs) {
        auto statement = db->cached("SELECT 1 FROM sandglass_runs WHERE run_id = ?1");
        if (!statement)
            return std::move(statement.error());
        statement->bind(1, run.value);
        const auto found = statement->step();
        if (!found)
            return found.error();
        if (*found)
            known.push_back(run);
    }
    return known;
}

} // namespace sg::checkpoint
