#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/sqlite/schema.h"
#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "core/sqlite/db.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace sg::checkpoint {

// One connection and what it knows about the file.
struct Connection {
    Connection(sqlite::Db database, bool removesSideFiles)
        : db(std::move(database))
        , cleansUp(removesSideFiles)
    {
    }
    // Looks again where the schema has changed since.
    Result<void> refreshSchema();
    // SQLite's counter of what others have committed, this process's writer among them.
    Result<std::int64_t> dataVersion();

    sqlite::Db db;
    const bool cleansUp; // removes the -wal and -shm files where it is closed last
    SchemaState schema;
    std::int64_t schemaVersion = -1; // SQLite's counter of changes to the schema

    // The newest checkpoint that was asked for last, for who asks again before anything is committed. A
    // reader's alone: the counter does not tell of a connection's own writes.
    struct Newest {
        ThreadId thread;
        std::string ns;
        std::int64_t dataVersion = -1; // -1: asked for once, not kept yet
        std::optional<CheckpointRecord> record;
    };
    Newest newest;
};

// The connections to one checkpoint file: a writer behind a mutex, opened and made ready at the first write,
// and readers that see the newest commit without waiting for it. Any thread.
class CheckpointFile {
public:
    static Result<std::unique_ptr<CheckpointFile>> open(const std::filesystem::path& path,
                                                        const SqliteStoreOptions& options);
    static Result<std::unique_ptr<CheckpointFile>> openToRead(const std::filesystem::path& path);
    ~CheckpointFile();

    // Beside: the commit does not wait for the disk. A power cut may take it back, no end of this program
    // does, and the next commit that waits carries it along.
    enum class Commit { AsOpened, Beside };
    // In a transaction of its own, or in that of together() when called by its work.
    Result<void> write(const std::function<Result<void>(sqlite::Db&)>& work,
                       Commit commit = Commit::AsOpened);
    Result<void> together(const std::function<Result<void>()>& work, Commit commit = Commit::AsOpened);

    // One consistent view. The work of together() sees its own uncommitted writes.
    Result<void> read(const std::function<Result<void>(Connection&)>& work);
    // Work that may do without a transaction and without a reader: true where it was done on one that stands
    // ready and says that it was. False within together(), whose own writes a reader does not see.
    bool glance(const std::function<bool(Connection&)>& work);

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] bool isTogetherHere() const { return m_togetherThread == std::this_thread::get_id(); }

private:
    CheckpointFile(std::filesystem::path path, const SqliteStoreOptions& options);
    Result<std::unique_ptr<Connection>> openReader() const;
    Result<std::unique_ptr<Connection>> takeReader();
    void giveBack(std::unique_ptr<Connection> reader);
    Result<void> openWriter();
    Result<void> prepareCommit(Commit commit);

    // constant after construction
    const std::filesystem::path m_path;
    const SqliteStoreOptions m_options;

    std::mutex m_readerMutex;
    std::vector<std::unique_ptr<Connection>> m_idleReaders; // guarded by m_readerMutex

    std::mutex m_writerMutex;
    std::unique_ptr<Connection>
        m_writer; // guarded by m_writerMutex; null before the first write; closed last
    Commit m_commit = Commit::AsOpened; // guarded by m_writerMutex; of m_writer
    std::atomic<bool> m_hasWriter = false;
    std::atomic<std::thread::id> m_togetherThread; // whose work holds m_writerMutex
};

} // namespace sg::checkpoint
