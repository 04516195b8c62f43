#include "core/checkpoint/sqlite/checkpoint_file.h"

#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <system_error>
#include <utility>

namespace sg::checkpoint {

namespace {

constexpr std::size_t kIdleReaders = 4;

// A read-only connection leaves its -wal and -shm files behind; a writable one removes them if it is closed
// last. So a writable one that is barred from writing is used if nobody else can have the file open.
bool mayCleanUp(const std::filesystem::path& path)
{
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    std::error_code ignored;
    if (::access(path.c_str(), W_OK) != 0 || ::access(folder.c_str(), W_OK) != 0)
        return false;
    return !std::filesystem::exists(path.string() + "-wal", ignored)
        || std::filesystem::exists(path.string() + "-journal", ignored); // only a writer can roll it back
}

class HeldBy {
public:
    explicit HeldBy(std::atomic<std::thread::id>& thread)
        : m_thread(thread)
    {
        m_thread = std::this_thread::get_id();
    }
    ~HeldBy() { m_thread = std::thread::id(); } // also if the work throws
    HeldBy(const HeldBy&) = delete;
    HeldBy& operator=(const HeldBy&) = delete;

private:
    std::atomic<std::thread::id>& m_thread;
};

// SQLite notices missing pages, but not a last page that is cut short.
Result<void> checkNotCut(sqlite::Db& db)
{
    const std::filesystem::path& path = db.path();
    std::error_code error;
    const auto logSize = std::filesystem::file_size(path.string() + "-wal", error);
    if (!error && logSize > 0)
        return {}; // the log may hold pages
    auto row = db.prepare("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
    if (!row)
        return std::move(row.error());
    if (auto ready = row->step(); !ready)
        return std::move(ready.error());
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path, error));
    if (error || size >= row->integer(0))
        return {};
    return Error{
        Errc::Corrupt,
        "database " + path.string() + " is damaged (" + std::to_string(row->integer(0) - size)
            + " bytes are missing at its end); put a copy in its place, or save what can be read with"
              " sqlite3's .recover"
    };
}

} // namespace

Result<void> Connection::refreshSchema()
{
    auto statement = db.cached("PRAGMA schema_version");
    if (!statement)
        return std::move(statement.error());
    if (auto row = statement->step(); !row)
        return std::move(row.error());
    const std::int64_t current = statement->integer(0);
    if (current == schemaVersion)
        return {};
    auto state = readSchema(db);
    if (!state)
        return std::move(state.error());
    schema = *state;
    schemaVersion = current;
    return {};
}

Result<std::int64_t> Connection::dataVersion()
{
    auto statement = db.cached("PRAGMA data_version");
    if (!statement)
        return std::move(statement.error());
    if (auto row = statement->step(); !row)
        return std::move(row.error());
    return statement->integer(0);
}

CheckpointFile::CheckpointFile(std::filesystem::path path, const SqliteStoreOptions& options)
    : m_path(std::move(path))
    , m_options(options)
{
}

CheckpointFile::~CheckpointFile()
{
    // Connections that remove the -wal file are closed last.
    std::erase_if(m_idleReaders, [](const auto& reader) { return !reader->cleansUp; });
    m_idleReaders.clear();
    m_writer.reset();
}

Result<std::unique_ptr<CheckpointFile>> CheckpointFile::open(const std::filesystem::path& path,
                                                             const SqliteStoreOptions& options)
{
    std::unique_ptr<CheckpointFile> file(new CheckpointFile(path, options));
    std::error_code ignored;
    const bool isNew =
        !std::filesystem::exists(path, ignored) || std::filesystem::file_size(path, ignored) == 0;
    if (isNew && !options.readOnly) {
        const std::lock_guard lock(file->m_writerMutex);
        if (auto done = file->openWriter(); !done)
            return std::move(done.error());
        return file;
    }
    // A file that is damaged, locked or no database is refused here rather than in the middle of a run.
    auto checked = file->read([](Connection& connection) { return checkNotCut(connection.db); });
    if (!checked)
        return std::move(checked.error());
    return file;
}

Result<std::unique_ptr<CheckpointFile>> CheckpointFile::openToRead(const std::filesystem::path& path)
{
    SqliteStoreOptions options;
    options.readOnly = true;
    return open(path, options);
}

Result<void> CheckpointFile::openWriter()
{
    if (m_writer)
        return {};
    if (m_options.readOnly)
        return Error{ Errc::PermissionDenied, m_path.string() + " was opened for reading only" };
    sqlite::DbOptions options;
    options.mode = sqlite::OpenMode::Create;
    options.wal = false; // not before the file's version is known
    options.triggers = false;
    options.busyTimeout = std::chrono::milliseconds(m_options.busyTimeoutMs);
    options.synchronous = m_options.fullSync ? sqlite::Synchronous::Full : sqlite::Synchronous::Normal;
    auto db = sqlite::Db::open(m_path, options);
    if (!db)
        return std::move(db.error());
    auto writer = std::make_unique<Connection>(std::move(*db), true);
    if (auto done = prepareForWriting(writer->db); !done)
        return done;
    m_writer = std::move(writer);
    m_hasWriter = true;
    return {};
}

Result<std::unique_ptr<Connection>> CheckpointFile::openReader() const
{
    const bool cleansUp = !m_hasWriter && mayCleanUp(m_path);
    sqlite::DbOptions options;
    options.mode = cleansUp ? sqlite::OpenMode::ReadWrite : sqlite::OpenMode::ReadOnly;
    options.wal = false;
    options.triggers = false;
    options.busyTimeout = std::chrono::milliseconds(m_options.busyTimeoutMs);
    auto db = sqlite::Db::open(m_path, options);
    if (!db)
        return std::move(db.error());
    if (cleansUp) {
        if (auto done = db->exec("PRAGMA query_only=ON"); !done)
            return std::move(done.error());
    }
    return std::make_unique<Connection>(std::move(*db), cleansUp);
}

Result<std::unique_ptr<Connection>> CheckpointFile::takeReader()
{
    {
        const std::lock_guard lock(m_readerMutex);
        if (!m_idleReaders.empty()) {
            auto reader = std::move(m_idleReaders.back());
            m_idleReaders.pop_back();
            return reader;
        }
    }
    return openReader();
}

void CheckpointFile::giveBack(std::unique_ptr<Connection> reader)
{
    const std::lock_guard lock(m_readerMutex);
    if (m_idleReaders.size() < kIdleReaders || reader->cleansUp)
        m_idleReaders.push_back(std::move(reader));
}

Result<void> CheckpointFile::read(const std::function<Result<void>(Connection&)>& work)
{
    if (isTogetherHere()) {
        if (auto done = m_writer->refreshSchema(); !done)
            return done;
        return work(*m_writer);
    }
    auto reader = takeReader();
    if (!reader)
        return std::move(reader.error());
    Result<void> done;
    {
        auto view = (*reader)->db.beginRead();
        if (!view)
            return std::move(view.error());
        done = (*reader)->refreshSchema();
        if (done)
            done = work(**reader);
    }
    giveBack(std::move(*reader));
    return done;
}

bool CheckpointFile::glance(const std::function<bool(Connection&)>& work)
{
    if (isTogetherHere())
        return false;
    std::unique_ptr<Connection> reader;
    {
        const std::lock_guard lock(m_readerMutex);
        if (m_idleReaders.empty())
            return false;
        reader = std::move(m_idleReaders.back());
        m_idleReaders.pop_back();
    }
    const bool done = work(*reader);
    giveBack(std::move(reader));
    return done;
}

Result<void> CheckpointFile::write(const std::function<Result<void>(sqlite::Db&)>& work, Commit commit)
{
    if (isTogetherHere())
        return work(m_writer->db);
    return together([&] { return work(m_writer->db); }, commit);
}

Result<void> CheckpointFile::prepareCommit(Commit commit)
{
    if (commit == m_commit || !m_options.fullSync)
        return {};
    auto set = m_writer->db.setSynchronous(commit == Commit::Beside ? sqlite::Synchronous::Normal
                                                                    : sqlite::Synchronous::Full);
    if (set)
        m_commit = commit;
    return set;
}

Result<void> CheckpointFile::together(const std::function<Result<void>()>& work, Commit commit)
{
    if (isTogetherHere()) // becomes part of the transaction under way
        return work();
    const std::lock_guard lock(m_writerMutex);
    if (auto done = openWriter(); !done)
        return done;
    if (auto done = prepareCommit(commit); !done)
        return done;
    auto transaction = m_writer->db.begin();
    if (!transaction)
        return std::move(transaction.error());
    const HeldBy held(m_togetherThread);
    auto done = work();
    return done ? transaction->commit() : done;
}

} // namespace sg::checkpoint
