#include "core/sqlite/db.h"

#include "core/base/hash.h"
#include "core/sqlite/memory_cap.h"
#include "core/sqlite/sqlite_error.h"
#include "core/sqlite/step_watch.h"
#include "core/sqlite/view_guard.h"

#include <sqlite3.h>

#include <unistd.h>

#include <cassert>
#include <chrono>
#include <functional>
#include <map>
#include <utility>

namespace sg::sqlite {

struct Db::State {
    struct Kept {
        sqlite3_stmt* statement = nullptr;
        bool inUse = false;
    };

    std::filesystem::path path;
    bool readOnly = false;
    sqlite3* db = nullptr;
    ViewGuard views;
    std::map<std::string, Kept, std::less<>> kept; // a map, so that statements can point to its nodes

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State()
    {
        for (auto& [sql, entry] : kept) {
            assert(!entry.inUse);
            sqlite3_finalize(entry.statement);
        }
        sqlite3_close_v2(db);
    }

    Result<void> exec(const char* script)
    {
        const StepWatch::Unlimited ours; // scripts are our own and read no rows of a hostile file
        const int code = sqlite3_exec(db, script, nullptr, nullptr, nullptr);
        return code == SQLITE_OK ? Result<void>() : errorOf(db, code, path.string());
    }

    int connect(const std::string& name, int flags)
    {
        sqlite3_close_v2(std::exchange(db, nullptr));
        return sqlite3_open_v2(name.c_str(), &db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
                               nullptr);
    }

    // Returns null with the reason in `failure`.
    Kept* keep(std::string_view sql, int& failure);

    // Opening reads nothing. This reads the header, so that a file that is no database is refused at once.
    Result<void> configure(const DbOptions& options);
    Result<void> useWal();
};

namespace {

// These bound one step of a statement. Changes to our own large files take long.
constexpr std::chrono::seconds kLongestLook{ 30 };
constexpr std::chrono::minutes kLongestChange{ 10 };

// SQLite would read "file:…" as a URI and ":memory:" as a database without a file.
std::string plainFileName(const std::filesystem::path& path)
{
    return path.is_absolute() ? path.string() : "./" + path.string();
}

std::filesystem::path folderOf(const std::filesystem::path& path)
{
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

int openFlags(OpenMode mode)
{
    switch (mode) {
    case OpenMode::ReadOnly: return SQLITE_OPEN_READONLY;
    case OpenMode::ReadWrite: return SQLITE_OPEN_READWRITE;
    case OpenMode::Create: return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    }
    return SQLITE_OPEN_READONLY;
}

// A file from elsewhere may only hold data: a view in place of a table could compute for ever. The temporary
// views, which are ours, stay.
void distrustSchema(sqlite3* db, bool triggers)
{
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, triggers ? 1 : 0, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
}

const char* synchronousPragma(Synchronous level)
{
    switch (level) {
    case Synchronous::Off: return "PRAGMA synchronous=OFF";
    case Synchronous::Normal: return "PRAGMA synchronous=NORMAL";
    case Synchronous::Full: return "PRAGMA synchronous=FULL";
    }
    return "PRAGMA synchronous=FULL";
}

// Even reading a write-ahead-log database needs its -shm file, which a read-only folder or disk refuses.
// Without a log the file is complete and cannot change there.
bool isReadableOnlyAsImmutable(sqlite3* db, const std::filesystem::path& path)
{
    const int code = sqlite3_errcode(db) & 0xFF;
    if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY && code != SQLITE_FULL && code != SQLITE_IOERR)
        return false;
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return false;
    const auto logSize = std::filesystem::file_size(path.string() + "-wal", error);
    return error || logSize == 0;
}

std::string immutableUri(const std::filesystem::path& path)
{
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(path).string()) {
        if (c == '%' || c == '?' || c == '#')
            uri += '%' + toHex({ &c, 1 });
        else
            uri += c;
    }
    return uri + "?immutable=1";
}

} // namespace

Db::State::Kept* Db::State::keep(std::string_view sql, int& failure)
{
    auto found = kept.find(sql);
    if (found == kept.end()) {
        sqlite3_stmt* statement = nullptr;
        failure = sqlite3_prepare_v3(db, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                                     &statement, nullptr);
        if (failure != SQLITE_OK)
            return nullptr;
        assert(statement);
        found = kept.emplace(std::string(sql), Kept{ statement }).first;
    }
    return &found->second;
}

Result<void> Db::State::configure(const DbOptions& options)
{
    distrustSchema(db, options.triggers);
    StepWatch::install(db, readOnly ? kLongestLook : kLongestChange);
    sqlite3_busy_timeout(db, static_cast<int>(options.busyTimeout.count()));
    if (auto done = exec("PRAGMA cell_size_check=ON; SELECT count(*) FROM sqlite_master"); !done)
        return done;
    views.load(db);
    if (options.wal && !readOnly)
        if (auto done = useWal(); !done)
            return done;
    return exec(synchronousPragma(options.synchronous));
}

// Programs that open a new file at the same moment block this change; SQLite's busy timeout ignores it.
Result<void> Db::State::useWal()
{
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    auto done = exec("PRAGMA journal_mode=WAL");
    while (!done && (sqlite3_errcode(db) & 0xFF) == SQLITE_BUSY
           && std::chrono::steady_clock::now() < deadline) {
        sqlite3_sleep(5);
        done = exec("PRAGMA journal_mode=WAL");
    }
    return done;
}

Result<Db> Db::open(const std::filesystem::path& path, const DbOptions& options)
{
    // Counting SQLite's memory takes a lock for each allocation, and nobody reads the count.
    [[maybe_unused]] static const int uncounted = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    [[maybe_unused]] static const bool hasCaps = MemoryCap::install();
    auto state = std::make_unique<State>();
    state->path = path;
    state->readOnly = options.mode == OpenMode::ReadOnly;
    if (const int code = state->connect(plainFileName(path), openFlags(options.mode)); code != SQLITE_OK) {
        Error error = errorOf(state->db, code, path.string());
        // The file would have been created, so it cannot be what is missing; its folder can.
        if (options.mode == OpenMode::Create && error.code == Errc::NotFound
            && ::access(folderOf(path).c_str(), F_OK) == 0)
            return Error{ Errc::PermissionDenied,
                          "database " + path.string() + " cannot be made: no permission to write to "
                              + folderOf(path).string() + "; check who owns it" };
        return error;
    }
    auto done = state->configure(options);
    if (!done && state->readOnly && isReadableOnlyAsImmutable(state->db, path)) {
        const int code = state->connect(immutableUri(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
        done = code == SQLITE_OK ? state->configure(options) : errorOf(state->db, code, path.string());
    }
    if (!done)
        return std::move(done.error());
    return Db(std::move(state));
}

Db::Db(std::unique_ptr<State> state)
    : m_state(std::move(state))
{
}
Db::Db(Db&&) noexcept = default;
Db& Db::operator=(Db&&) noexcept = default;
Db::~Db() = default;

const std::filesystem::path& Db::path() const
{
    return m_state->path;
}

bool Db::isReadOnly() const
{
    return m_state->readOnly;
}

Result<Statement> Db::prepare(std::string_view sql)
{
    if (auto checked = m_state->views.check(sql, m_state->path); !checked)
        return std::move(checked.error());
    sqlite3_stmt* statement = nullptr;
    const int code =
        sqlite3_prepare_v3(m_state->db, sql.data(), static_cast<int>(sql.size()), 0, &statement, nullptr);
    if (code != SQLITE_OK)
        return errorOf(m_state->db, code);
    assert(statement);
    return Statement(statement, nullptr);
}

Result<Statement> Db::cached(std::string_view sql)
{
    if (auto checked = m_state->views.check(sql, m_state->path); !checked)
        return std::move(checked.error());
    int failure = SQLITE_OK;
    State::Kept* entry = m_state->keep(sql, failure);
    if (entry == nullptr)
        return errorOf(m_state->db, failure);
    if (entry->inUse) // the same query runs inside its own loop
        return prepare(sql);
    entry->inUse = true;
    return Statement(entry->statement, &entry->inUse);
}

Result<void> Db::setSynchronous(Synchronous level)
{
    return m_state->exec(synchronousPragma(level));
}

Result<void> Db::useWal()
{
    return m_state->useWal();
}

Result<void> Db::exec(const std::string& script)
{
    return m_state->exec(script.c_str());
}

Result<Transaction> Db::begin()
{
    if (auto done = run("BEGIN IMMEDIATE"); !done)
        return std::move(done.error());
    return Transaction(m_state.get());
}

Result<Transaction> Db::beginRead()
{
    if (auto done = run("BEGIN"); !done)
        return std::move(done.error());
    return Transaction(m_state.get());
}

Result<std::int64_t> Db::userVersion()
{
    auto statement = cached("PRAGMA user_version");
    if (!statement)
        return std::move(statement.error());
    auto row = statement->step();
    if (!row)
        return std::move(row.error());
    return statement->integer(0);
}

Result<void> Db::setUserVersion(std::int64_t version)
{
    return exec("PRAGMA user_version=" + std::to_string(version)); // pragmas take no parameters
}

std::int64_t Db::changedRows() const
{
    return sqlite3_changes64(m_state->db);
}

std::int64_t Db::lastInsertId() const
{
    return sqlite3_last_insert_rowid(m_state->db);
}

void Db::interrupt()
{
    sqlite3_interrupt(m_state->db);
}

sqlite3* Db::handle() const
{
    return m_state->db;
}

Transaction::Transaction(Transaction&& other) noexcept
    : m_state(std::exchange(other.m_state, nullptr))
{
}

Transaction::~Transaction()
{
    // Some errors have rolled the transaction back already.
    if (m_state == nullptr || sqlite3_get_autocommit(m_state->db) != 0)
        return;
    int ignored = SQLITE_OK;
    if (auto* kept = m_state->keep("ROLLBACK", ignored); kept != nullptr) {
        sqlite3_step(kept->statement);
        sqlite3_reset(kept->statement);
    }
}

Result<void> Transaction::commit()
{
    assert(m_state);
    int code = SQLITE_OK;
    if (auto* kept = m_state->keep("COMMIT", code); kept != nullptr) {
        code = sqlite3_step(kept->statement);
        sqlite3_reset(kept->statement);
    }
    if (code != SQLITE_DONE)
        return errorOf(m_state->db, code, m_state->path.string());
    m_state = nullptr;
    return {};
}

} // namespace sg::sqlite
