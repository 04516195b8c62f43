#include "core/sqlite/confined_query.h"

#include "core/sqlite/memory_cap.h"
#include "core/sqlite/query_size.h"
#include "core/sqlite/sqlite_error.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace sg::sqlite {
namespace {

constexpr int kOpsBetweenLooks = 1000;
constexpr int kMostQuestions = 100'000; // calls of the authorizer
constexpr std::size_t kMostParts = 2000; // views and WITH parts, each counted as often as it is named
constexpr std::size_t kMostViews = 1000; // views of the file whose texts are read
constexpr std::size_t kLongestViews = 1 << 20;
constexpr std::size_t kMostMemory = 128 << 20; // for all that SQLite allocates
constexpr int kLongestValue = 4 << 20; // for values that are returned; others may be longer
constexpr int kLongestSql = 64 << 10;
constexpr int kLongestPattern = 100; // of LIKE and GLOB, whose time is pattern length times text length

// These are SQLite's functions whose time grows no faster than their input. instr, replace, trim and the like
// search one long text in another, so they are missing here.
const std::set<std::string_view>& allowedFunctions()
{
    static const std::set<std::string_view> kNames{
        "->",         "->>",          "abs",         "avg",          "ceil",
        "ceiling",    "char",         "coalesce",    "count",        "cume_dist",
        "date",       "datetime",     "dense_rank",  "exp",          "first_value",
        "floor",      "format",       "glob",        "group_concat", "hex",
        "ifnull",     "iif",          "json",        "json_array",   "json_array_length",
        "json_each",  "json_extract", "json_object", "json_quote",   "json_group_array",
        "json_tree",  "json_type",    "json_valid",  "julianday",    "json_group_object",
        "lag",        "last_value",   "lead",        "length",       "like",
        "ln",         "log",          "lower",       "max",          "min",
        "nth_value",  "ntile",        "nullif",      "percent_rank", "pow",
        "power",      "printf",       "quote",       "rank",         "round",
        "row_number", "sign",         "sqrt",        "strftime",     "substr",
        "substring",  "sum",          "time",        "total",        "typeof",
        "unicode",    "unixepoch",    "upper",
    };
    return kNames;
}

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    return lower;
}

struct Guard {
    std::chrono::steady_clock::time_point deadline;
    std::stop_token stop;
    int questions = 0;
    std::string refused; // what the query asked for

    [[nodiscard]] bool isOver() const
    {
        return stop.stop_requested() || std::chrono::steady_clock::now() >= deadline;
    }
};

// SQLite's own virtual tables, which show or do more than the file's tables.
bool isInternal(std::string_view table)
{
    constexpr std::array<std::string_view, 7> kNames{ "dbstat",      "sqlite_dbpage", "bytecode",
                                                      "tables_used", "sqlite_stmt",   "completion",
                                                      "fts3tokenize" };
    const std::string name = lowerCase(table);
    return name.starts_with("pragma_") || std::ranges::find(kNames, name) != kNames.end();
}

int authorize(void* data, int action, const char* first, const char* second, const char*, const char*)
{
    auto& guard = *static_cast<Guard*>(data);
    if (++guard.questions > kMostQuestions || guard.isOver())
        return SQLITE_DENY;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_READ:
        if (first == nullptr || !isInternal(first))
            return SQLITE_OK;
        guard.refused = "the table " + std::string(first);
        return SQLITE_DENY;
    case SQLITE_FUNCTION:
        if (second != nullptr && allowedFunctions().contains(lowerCase(second)))
            return SQLITE_OK;
        guard.refused = "the function " + std::string(second == nullptr ? "" : second);
        return SQLITE_DENY;
    case SQLITE_ATTACH: guard.refused = "ATTACH"; return SQLITE_DENY;
    case SQLITE_PRAGMA: guard.refused = "PRAGMA"; return SQLITE_DENY;
    default: guard.refused = "a change"; return SQLITE_DENY;
    }
}

int look(void* data)
{
    return static_cast<const Guard*>(data)->isOver() ? 1 : 0;
}

void confine(sqlite3* db, Guard& guard)
{
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, kLongestValue);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, kLongestSql);
    sqlite3_limit(db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, kLongestPattern);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 200);
    sqlite3_limit(db, SQLITE_LIMIT_COMPOUND_SELECT, 50);
    sqlite3_limit(db, SQLITE_LIMIT_COLUMN, 200);
    sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, 1'000'000);
    sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
    sqlite3_set_authorizer(db, authorize, &guard);
    sqlite3_progress_handler(db, kOpsBetweenLooks, look, &guard);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 1,
                      nullptr); // the file's views may be used, within limits
}

// Interrupts single steps of SQLite's machine that take long, such as counting a table.
class Watchman {
public:
    Watchman(sqlite3* db, const Guard& guard)
        : m_thread([this, db, &guard](const std::stop_token& done) {
            std::unique_lock lock(m_mutex);
            while (!done.stop_requested()) {
                // It interrupts repeatedly: SQLite forgets an interrupt that comes while nothing runs.
                const auto until = guard.isOver() ? next() : std::min(guard.deadline, next());
                m_wake.wait_until(lock, done, until, [] { return false; });
                if (!done.stop_requested() && guard.isOver())
                    sqlite3_interrupt(db);
            }
        })
    {
    }

private:
    static std::chrono::steady_clock::time_point next()
    {
        return std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
    }

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::jthread m_thread; // last, because it uses the others
};

struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using StatementPtr = std::unique_ptr<sqlite3_stmt, Finalize>;

Error isTooLarge()
{
    return { Errc::LimitExceeded, "this query is too large: its views or WITH parts multiply" };
}

Error whyNot(sqlite3* db, int code, const Guard& guard, const QueryLimits& limits)
{
    if (guard.stop.stop_requested())
        return { Errc::Cancelled, "the query was stopped" };
    if (guard.questions > kMostQuestions)
        return isTooLarge();
    if (guard.isOver())
        return { Errc::LimitExceeded,
                 "this query took longer than " + std::to_string(limits.time.count())
                     + " ms and was stopped; ask for fewer rows, with WHERE or LIMIT" };
    if ((code & 0xFF) == SQLITE_AUTH || !guard.refused.empty())
        return { Errc::PermissionDenied,
                 guard.refused + " is not allowed here: a query only reads (SELECT)"
                     + (guard.refused.starts_with("the function") ? ", with functions of bounded time"
                                                                  : "") };
    if ((code & 0xFF) == SQLITE_TOOBIG)
        return { Errc::LimitExceeded,
                 "a value that this query reads or makes is longer than "
                     + std::to_string(kLongestValue >> 20) + " MiB; ask for its length() or leave it out" };
    if ((code & 0xFF) == SQLITE_NOMEM)
        return { Errc::LimitExceeded,
                 "this query took more memory than " + std::to_string(kMostMemory >> 20)
                     + " MiB and was stopped; ask for fewer rows or shorter values" };
    if ((code & 0xFF) == SQLITE_ERROR)
        return { Errc::InvalidArgument, std::string("the query is not valid: ") + sqlite3_errmsg(db) };
    return errorOf(db, code);
}

// Returns nullopt if memory ran out.
std::optional<QueryCell> cellOf(sqlite3_stmt* row, int column, std::size_t longest)
{
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_NULL: return QueryCell{ true, {} };
    case SQLITE_BLOB:
        return QueryCell{ false, "blob, " + std::to_string(sqlite3_column_bytes(row, column)) + " bytes" };
    default: break;
    }
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(row, column)); // NOLINT: C interface
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(row, column));
    if (text == nullptr)
        return std::nullopt;
    return QueryCell{ false, std::string(text, std::min(size, longest)) };
}

Result<StatementPtr> compile(sqlite3* db, std::string_view sql, const Guard& guard, const QueryLimits& limits)
{
    sqlite3_stmt* made = nullptr;
    const char* tail = nullptr;
    const std::string text(sql);
    const int code = sqlite3_prepare_v2(db, text.data(), static_cast<int>(text.size()), &made, &tail);
    StatementPtr statement(made);
    if (code != SQLITE_OK)
        return whyNot(db, code, guard, limits);
    if (!statement)
        return Error{ Errc::InvalidArgument, "the query is empty" };
    const std::string_view rest(tail);
    if (rest.find_first_not_of(" \t\r\n;") != std::string_view::npos)
        return Error{ Errc::InvalidArgument, "one query at a time: there is more behind the first ';'" };
    if (sqlite3_stmt_readonly(statement.get()) == 0 || sqlite3_column_count(statement.get()) == 0)
        return Error{ Errc::PermissionDenied, "a query only reads (SELECT)" };
    return statement;
}

// Returns names and texts of the file's views, which multiply as WITH parts do.
Result<std::vector<QueryPart>> viewsOf(sqlite3* db, const Guard& guard, const QueryLimits& limits)
{
    auto rows = compile(db,
                        "SELECT name, sql FROM sqlite_master WHERE type = 'view' UNION ALL "
                        "SELECT name, sql FROM sqlite_temp_master WHERE type = 'view'",
                        guard, limits);
    if (!rows)
        return std::move(rows.error());
    const auto textOf = [&rows](int column) {
        const auto* text =
            reinterpret_cast<const char*>(sqlite3_column_text(rows->get(), column)); // NOLINT: C interface
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(rows->get(), column));
        return text == nullptr ? std::string() : std::string(text, size);
    };
    std::vector<QueryPart> views;
    std::size_t length = 0;
    while (true) {
        const int code = sqlite3_step(rows->get());
        if (code == SQLITE_DONE)
            return views;
        if (code != SQLITE_ROW)
            return whyNot(db, code, guard, limits);
        views.push_back({ textOf(0), textOf(1) });
        length += views.back().name.size() + views.back().text.size();
        if (views.size() > kMostViews || length > kLongestViews)
            return Error{ Errc::LimitExceeded,
                          "this database has more views than a query may have here, or longer ones" };
    }
}

Result<QueryTable> read(sqlite3* db, sqlite3_stmt* row, const Guard& guard, const QueryLimits& limits)
{
    QueryTable table;
    const int columns = sqlite3_column_count(row);
    for (int i = 0; i < columns; ++i) {
        const char* name = sqlite3_column_name(row, i);
        table.columns.emplace_back(name == nullptr ? "" : name);
    }
    std::size_t bytes = 0;
    while (true) {
        const int code = sqlite3_step(row);
        if (code == SQLITE_DONE)
            return table;
        if (code != SQLITE_ROW)
            return whyNot(db, code, guard, limits);
        if (table.rows.size() >= limits.rows || bytes >= limits.bytes) {
            table.isCut = true;
            return table;
        }
        auto& cells = table.rows.emplace_back();
        for (int i = 0; i < columns; ++i) {
            auto cell = cellOf(row, i, limits.cellBytes);
            if (!cell)
                return whyNot(db, SQLITE_NOMEM, guard, limits);
            bytes += cell->text.size() + sizeof(QueryCell);
            cells.push_back(*std::move(cell));
        }
    }
}

} // namespace

Result<QueryTable> confinedQuery(Db& db, std::string_view sql, const QueryLimits& limits,
                                 std::stop_token stop)
{
    if (sql.size() > static_cast<std::size_t>(kLongestSql))
        return Error{ Errc::LimitExceeded,
                      "this query is longer than " + std::to_string(kLongestSql >> 10) + " KiB" };
    if (!MemoryCap::holds())
        return Error{ Errc::Unsupported, "queries cannot be confined in this program" };
    // Sorting then counts as memory and fills no disk.
    if (auto done = db.exec("PRAGMA temp_store = MEMORY"); !done)
        return std::move(done.error());
    sqlite3* const handle = db.handle();
    Guard guard{ std::chrono::steady_clock::now() + limits.time, std::move(stop), 0, {} };
    const MemoryCap cap(kMostMemory);
    confine(handle, guard);
    // The guard dies before the connection, which must not call it after this.
    struct Release {
        sqlite3* db;
        ~Release()
        {
            sqlite3_progress_handler(db, 0, nullptr, nullptr);
            sqlite3_set_authorizer(db, nullptr, nullptr);
        }
    } const release{ handle };
    const Watchman watchman(handle, guard);
    const auto views = viewsOf(handle, guard, limits);
    if (!views)
        return views.error();
    if (partsOf(sql, *views) > kMostParts)
        return isTooLarge();
    auto statement = compile(handle, sql, guard, limits);
    if (!statement)
        return std::move(statement.error());
    return read(handle, statement->get(), guard, limits);
}

} // namespace sg::sqlite
