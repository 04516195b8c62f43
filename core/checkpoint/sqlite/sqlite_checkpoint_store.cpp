#include "core/checkpoint/sqlite_checkpoint_store.h"

#include "core/checkpoint/serde/checkpoint_codec.h"
#include "core/checkpoint/serde/typed_value.h"
#include "core/checkpoint/sqlite/checkpoint_file.h"
#include "core/checkpoint/sqlite/list_query.h"
#include "core/checkpoint/sqlite/rows.h"
#include "core/checkpoint/sqlite/sqlite_dispatch_log.h"
#include "core/checkpoint/sqlite/sqlite_run_log.h"
#include "core/checkpoint/sqlite/sqlite_snapshot_log.h"
#include "core/checkpoint/task_writes.h"
#include "core/sqlite/blob_reader.h"
#include "core/sqlite/each_row.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sg::checkpoint {

namespace {

constexpr const char* kSelectById =
    "SELECT thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint,"
    " metadata FROM checkpoints"
    " WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?";
constexpr const char* kSelectNewest =
    "SELECT thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata FROM "
    "checkpoints"
    " WHERE thread_id = ? AND checkpoint_ns = ? ORDER BY checkpoint_id DESC LIMIT 1";
constexpr const char* kReplaceCheckpoint =
    "INSERT OR REPLACE INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type,"
    " checkpoint, metadata) VALUES (?, ?, ?, ?, 'msgpack', ?, ?)";
constexpr const char* kReplaceWrite = "INSERT OR REPLACE INTO writes (thread_id, checkpoint_ns, "
                                      "checkpoint_id, task_id, task_path, idx, channel, type,"
                                      " value) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr const char* kKeepWrite = "INSERT OR IGNORE INTO writes (thread_id, checkpoint_ns, checkpoint_id, "
                                   "task_id, task_path, idx, channel, type,"
                                   " value) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
// The first bytes of a head hold its timestamp.
constexpr const char* kSelectThreads =
    "SELECT t.thread_id, t.checkpoints, t.head,"
    " CASE WHEN length(c.checkpoint) <= 1048576 THEN substr(c.checkpoint, 1, 96) END, c.rowid FROM"
    " (SELECT thread_id, count(*) AS checkpoints, max(checkpoint_id) AS head FROM checkpoints"
    "  WHERE checkpoint_ns = '' GROUP BY thread_id) t"
    " JOIN checkpoints c ON c.thread_id = t.thread_id AND c.checkpoint_ns = '' AND c.checkpoint_id = t.head"
    " ORDER BY t.head DESC, t.thread_id";

std::string nameOf(const CheckpointRef& ref)
{
    return "checkpoint " + ref.id.value + " of thread " + ref.thread.value
        + (ref.ns.empty() ? "" : " (namespace " + ref.ns + ")");
}

constexpr std::size_t kMostKept = std::size_t{ 64 } << 10U; // bytes of a checkpoint that a reader keeps

// Tells whether the reader still has what is asked for and nothing was committed since.
bool isKept(Connection& reader, const ThreadId& thread, const std::string& ns,
            std::optional<CheckpointRecord>& found)
{
    const Connection::Newest& newest = reader.newest;
    if (!newest.record || newest.ns != ns || newest.thread != thread)
        return false;
    const auto version = reader.dataVersion();
    if (!version || *version != newest.dataVersion)
        return false;
    found = newest.record;
    return true;
}

// Keeps a checkpoint from the second request on, because most runs ask once.
void keepNewest(Connection& reader, const CheckpointRecord& record)
{
    Connection::Newest& newest = reader.newest;
    if (newest.ns != record.ref.ns || newest.thread != record.ref.thread) {
        newest = { record.ref.thread, record.ref.ns, -1, std::nullopt };
        return;
    }
    newest.record.reset();
    if (const auto version = reader.dataVersion()) {
        newest.dataVersion = *version;
        newest.record = record;
    }
}

class SqliteCheckpointStore final : public CheckpointStore {
public:
    explicit SqliteCheckpointStore(std::unique_ptr<CheckpointFile> file)
        : m_file(std::move(file))
        , m_runLog(*m_file)
        , m_snapshotLog(*m_file)
        , m_dispatchLog(*m_file)
    {
    }

    Result<std::optional<CheckpointRecord>> get(const ThreadId& thread, const std::string& ns,
                                                const std::optional<CheckpointId>& id) override;
    Result<void> list(const CheckpointQuery& query,
                      const std::function<bool(const CheckpointRecord&)>& visit) override;
    Result<std::vector<ThreadSummary>> threads() override;
    Result<void> putWrites(const CheckpointRef& ref, const std::vector<PendingWrite>& writes) override;
    Result<void> putTask(const CheckpointRef& ref, const NewWrites& task) override;
    Result<void> putEncoded(const CheckpointRef& ref, const std::optional<CheckpointId>& parent,
                            const EncodedCheckpoint& checkpoint) override;
    Result<void> putRecord(const CheckpointRecord& record) override;
    Result<void> deleteThread(const ThreadId& thread) override;
    Result<void> together(const std::function<Result<void>()>& work) override
    {
        return m_file->together(work);
    }
    RunLog& runLog() override { return m_runLog; }
    SnapshotLog* snapshotLog() override { return &m_snapshotLog; }
    DispatchLog* dispatchLog() override { return &m_dispatchLog; }

private:
    [[nodiscard]] Error named(Error error, const CheckpointRef& ref) const
    {
        if (!isOfOneCheckpoint(error))
            return error; // SQLite's own errors name the file already
        return std::move(error).during(nameOf(ref) + " in " + m_file->path().string());
    }

    // Reads the statement's current row with its writes.
    Result<CheckpointRecord> readRecord(Connection& connection, const sqlite::Statement& row,
                                        const CheckpointQuery& query);

    std::unique_ptr<CheckpointFile> m_file;
    SqliteRunLog m_runLog;
    SqliteSnapshotLog m_snapshotLog;
    SqliteDispatchLog m_dispatchLog;
};

Result<CheckpointRecord> SqliteCheckpointStore::readRecord(Connection& connection,
                                                           const sqlite::Statement& row,
                                                           const CheckpointQuery& query)
{
    auto record = query.isLook ? readLookedRow(connection, row) : readCheckpointRow(row);
    if (!record)
        return named(std::move(record.error()), readCheckpointRef(row));
    if (query.withWrites) {
        auto writes = readWrites(connection, record->ref, query.isLook);
        if (!writes)
            return named(std::move(writes.error()), record->ref);
        record->writes = std::move(*writes);
    }
    return record;
}

Result<std::optional<CheckpointRecord>> SqliteCheckpointStore::get(const ThreadId& thread,
                                                                   const std::string& ns,
                                                                   const std::optional<CheckpointId>& id)
{
    std::optional<CheckpointRecord> found;
    if (!id && m_file->glance([&](Connection& reader) { return isKept(reader, thread, ns, found); }))
        return found;
    auto done = m_file->read([&](Connection& connection) -> Result<void> {
        if (!connection.schema.hasCheckpoints)
            return {};
        auto rows = connection.db.cached(id ? kSelectById : kSelectNewest);
        if (!rows)
            return std::move(rows.error());
        rows->bind(1, thread.value).bind(2, ns);
        if (id)
            rows->bind(3, id->value);
        const auto row = rows->step();
        if (!row)
            return row.error();
        if (!*row)
            return {};
        auto record = readRecord(connection, *rows, {});
        if (!record)
            return std::move(record.error());
        found = std::move(*record);
        if (!id && !m_file->isTogetherHere() && rows->blob(5).size() <= kMostKept)
            keepNewest(connection, *found);
        return {};
    });
    if (!done)
        return std::move(done.error());
    return found;
}

Result<void> SqliteCheckpointStore::list(const CheckpointQuery& query,
                                         const std::function<bool(const CheckpointRecord&)>& visit)
{
    auto select = makeListQuery(query);
    if (!select)
        return std::move(select.error());
    return m_file->read([&](Connection& connection) -> Result<void> {
        if (!connection.schema.hasCheckpoints)
            return {};
        auto rows = query.metadataFilter.empty() ? connection.db.cached(select->sql)
                                                 : connection.db.prepare(select->sql);
        if (!rows)
            return std::move(rows.error());
        select->bindTo(*rows);
        while (true) {
            const auto row = rows->step();
            if (!row)
                return row.error();
            if (!*row)
                return {};
            auto record = readRecord(connection, *rows, query);
            if (!record) {
                // One row that cannot be read must not hide the others.
                CheckpointRecord unreadable;
                unreadable.ref = readCheckpointRef(*rows);
                if (const std::string_view parent = rows->text(3); !parent.empty())
                    unreadable.parent = CheckpointId(std::string(parent));
                unreadable.problem = record.error().message;
                record = std::move(unreadable);
            }
            if (!visit(*record))
                return {};
        }
    });
}

// Reads the whole checkpoint for its timestamp; empty if it cannot be read.
std::string timestampOf(Connection& connection, const ThreadSummary& summary)
{
    auto rows = connection.db.cached(kSelectById);
    if (!rows)
        return {};
    rows->bind(1, summary.thread.value).bind(2, "").bind(3, summary.head.value);
    const auto row = rows->step();
    if (!row || !*row)
        return {};
    auto record = readCheckpointRow(*rows);
    return record ? std::move(record->checkpoint.timestamp) : std::string();
}

// SQLite would read the whole of a large value for its first bytes. Empty if they hold no timestamp.
std::string peekLarge(Connection& connection, std::int64_t row)
{
    auto blob = sqlite::BlobReader::open(connection.db, "checkpoints", "checkpoint", row);
    const auto bytes = blob ? blob->read(0, 96) : Result<std::string>(blob.error());
    return bytes ? peekTimestamp(*bytes) : std::string();
}

Result<std::vector<ThreadSummary>> SqliteCheckpointStore::threads()
{
    std::vector<ThreadSummary> summaries;
    auto done = m_file->read([&](Connection& connection) -> Result<void> {
        if (!connection.schema.hasCheckpoints)
            return {};
        auto rows = connection.db.cached(kSelectThreads);
        if (!rows)
            return std::move(rows.error());
        return sqlite::eachRow(*rows, [&] {
            ThreadSummary summary{ ThreadId(std::string(rows->text(0))), rows->integer(1),
                                   CheckpointId(std::string(rows->text(2))),
                                   rows->isNull(3) ? peekLarge(connection, rows->integer(4))
                                                   : peekTimestamp(rows->blob(3)) };
            if (summary.updatedAt.empty())
                summary.updatedAt = timestampOf(connection, summary);
            summaries.push_back(std::move(summary));
        });
    });
    if (!done)
        return std::move(done.error());
    return summaries;
}

void bindRef(sqlite::Statement& row, const CheckpointRef& ref)
{
    row.bind(1, sqlite::HeldText{ ref.thread.value })
        .bind(2, sqlite::HeldText{ ref.ns })
        .bind(3, sqlite::HeldText{ ref.id.value });
}

Result<void> SqliteCheckpointStore::putEncoded(const CheckpointRef& ref,
                                               const std::optional<CheckpointId>& parent,
                                               const EncodedCheckpoint& checkpoint)
{
    return m_file->write([&](sqlite::Db& db) -> Result<void> {
        auto row = db.cached(kReplaceCheckpoint);
        if (!row)
            return std::move(row.error());
        bindRef(*row, ref);
        if (parent && !parent->empty())
            row->bind(4, sqlite::HeldText{ parent->value });
        else
            row->bind(4, nullptr);
        row->bind(5, sqlite::HeldBlob{ checkpoint.blob }).bind(6, sqlite::HeldBlob{ checkpoint.metadata });
        return row->run();
    });
}

Result<void> runWrite(sqlite::Statement& row, const PendingWrite& write, std::int64_t index,
                      const TypedBlob& value)
{
    using sqlite::HeldText;
    row.bind(4, HeldText{ write.taskId.value }).bind(5, HeldText{ write.taskPath }).bind(6, index);
    row.bind(7, HeldText{ write.channel }).bind(8, HeldText{ value.type });
    row.bind(9, sqlite::HeldBlob{ value.blob });
    return row.run();
}

Result<void> SqliteCheckpointStore::putWrites(const CheckpointRef& ref,
                                              const std::vector<PendingWrite>& writes)
{
    std::vector<TypedBlob> values; // encoded before anything waits for the writer
    values.reserve(writes.size());
    for (const PendingWrite& write : writes)
        values.push_back(dumpsTyped(write.value, write.typeTag));
    return m_file->write([&](sqlite::Db& db) -> Result<void> {
        auto value = values.cbegin();
        for (const TaskWrites& task : writesByTask(writes)) {
            auto row = db.cached(task.replaces ? kReplaceWrite : kKeepWrite);
            if (!row)
                return std::move(row.error());
            bindRef(*row, ref);
            for (std::size_t i = 0; i < task.writes.size(); ++i, ++value) {
                if (auto done = runWrite(*row, task.writes[i], task.indexOf(i), *value); !done)
                    return done;
            }
        }
        return {};
    });
}

Result<void> SqliteCheckpointStore::putTask(const CheckpointRef& ref, const NewWrites& task)
{
    return m_file->write([&](sqlite::Db& db) -> Result<void> {
        auto row = db.cached(onlySpecial(task) ? kReplaceWrite : kKeepWrite);
        if (!row)
            return std::move(row.error());
        bindRef(*row, ref);
        row->bind(4, sqlite::HeldText{ task.task.value }).bind(5, sqlite::HeldText{ task.path });
        std::int64_t place = 0;
        for (const auto& [channel, value] : task.writes) {
            const TypedBlob typed = dumpsTyped(value, {});
            const std::string& name = channel.asString();
            row->bind(6, specialIndex(name).value_or(place++)).bind(7, sqlite::HeldText{ name });
            row->bind(8, sqlite::HeldText{ typed.type }).bind(9, sqlite::HeldBlob{ typed.blob });
            if (auto done = row->run(); !done)
                return done;
        }
        return {};
    });
}

Result<void> SqliteCheckpointStore::putRecord(const CheckpointRecord& record)
{
    return m_file->together([&]() -> Result<void> {
        if (auto done = put(record.ref, record.parent, record.checkpoint, record.metadata); !done)
            return done;
        return m_file->write([&](sqlite::Db& db) -> Result<void> {
            auto row = db.cached(kReplaceWrite);
            if (!row)
                return std::move(row.error());
            bindRef(*row, record.ref);
            for (const PendingWrite& write : record.writes) {
                const TypedBlob value = dumpsTyped(write.value, write.typeTag);
                if (auto done = runWrite(*row, write, write.index, value); !done)
                    return done;
            }
            return {};
        });
    });
}

Result<void> SqliteCheckpointStore::deleteThread(const ThreadId& thread)
{
    return m_file->write([&](sqlite::Db& db) -> Result<void> {
        for (const char* sql :
             { "DELETE FROM checkpoints WHERE thread_id = ?", "DELETE FROM writes WHERE thread_id = ?" }) {
            if (auto done = db.run(sql, thread.value); !done)
                return done;
        }
        if (auto done = SqliteSnapshotLog::deleteThread(db, thread); !done)
            return done;
        if (auto done = SqliteDispatchLog::deleteThread(db, thread); !done)
            return done;
        return SqliteRunLog::deleteThread(db, thread);
    });
}

} // namespace

Result<std::unique_ptr<CheckpointStore>> openSqliteCheckpointStore(const std::filesystem::path& path,
                                                                   const SqliteStoreOptions& options)
{
    auto file = CheckpointFile::open(path, options);
    if (!file)
        return std::move(file.error());
    return std::unique_ptr<CheckpointStore>(std::make_unique<SqliteCheckpointStore>(std::move(*file)));
}

} // namespace sg::checkpoint
