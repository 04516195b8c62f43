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

// A Connection is one connection and what it knows about the file.
struct Connection {
    Connection(sqlite::Db database, bool removesSideFiles)
        : db(std::move(database))
        , cleansUp(removesSideFiles)
    {
    }
    // Reads the schema again if it has changed.
    Result<void> refreshSchema();
    // Returns SQLite's counter of commits by others, among them this process's writer.
    Result<std::int64_t> dataVersion();

    sqlite::Db db;
    const bool cleansUp; // removes the -wal and -shm files if it is closed last
    SchemaState schema;
    std::int64_t schemaVersion = -1; // SQLite's counter of changes to the schema

    // The newest checkpoint, kept for a caller that asks again before anything is committed. Only readers use
    // it, because the counter ignores a connection's own writes.
    struct Newest {
        ThreadId thread;
        std::string ns;
        std::int64_t dataVersion = -1; // -1: asked for once, not kept yet
        std::optional<CheckpointRecord> record;
    };
    Newest newest;
};

// The connections to one checkpoint file: a writer behind a mutex, opened and prepared at the first write,
// and readers that see the newest commit without waiting for it. Any thread may use it.
class CheckpointFile {
public:
    static Result<std::unique_ptr<CheckpointFile>> open(const std::filesystem::path& path,
                                                        const SqliteStoreOptions& options);
    static Result<std::unique_ptr<CheckpointFile>> openToRead(const std::filesystem::path& path);
    ~CheckpointFile();

    // With Beside a commit does not wait for the disk. A power cut may undo it, the end of this program never
    // does, and the next commit that waits makes it durable, too.
    enum class Commit { AsOpened, Beside };
    // Runs in a transaction of its own, or in that of together() when called by its work.
    Result<void> write(const std::function<Result<void>(sqlite::Db&)>& work,
                       Commit commit = Commit::AsOpened);
    Result<void> together(const std::function<Result<void>()>& work, Commit commit = Commit::AsOpened);

    // Gives one consistent view. The work of together() sees its own uncommitted writes.
    Result<void> read(const std::function<Result<void>(Connection&)>& work);
    // Runs work that needs no transaction on a reader that is idle. Returns false if no reader is idle, if
    // `work` says that it failed, or within together(), whose own writes a reader does not see.
    bool glance(const std::function<bool(Connection&)>& work);

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] bool hasCheckpoints() const { return !m_options.checkpointsAreElsewhere; }
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
    Commit m_commit = Commit::AsOpened; // guarded by m_writerMutex; how m_writer commits now
    std::atomic<bool> m_hasWriter = false;
    std::atomic<std::thread::id> m_togetherThread; // the thread whose work holds m_writerMutex
};

} // namespace sg::checkpoint
