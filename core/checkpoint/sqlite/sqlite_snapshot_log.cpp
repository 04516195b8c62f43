#include "core/checkpoint/sqlite/sqlite_snapshot_log.h"

#include "core/base/msgpack.h"
#include "core/sqlite/each_row.h"

#include <utility>

namespace sg::checkpoint {

namespace {

constexpr const char* kBindingColumns = "SELECT thread_id, checkpoint_ns, checkpoint_id, partial, "
                                        "snapshot_id, part FROM sandglass_session_snapshots";

std::string textOf(const sqlite::Statement& row, int column)
{
    return std::string(row.text(column));
}

Result<SnapshotRecord> readSnapshot(const sqlite::Statement& row)
{
    SnapshotRecord record;
    record.id = SnapshotId(textOf(row, 0));
    record.thread = ThreadId(textOf(row, 1));
    auto body = decodeMsgpack(row.blob(2));
    if (!body)
        return std::move(body.error()).during("read snapshot " + record.id.value);
    record.body = std::move(*body);
    return record;
}

Result<SnapshotBinding> readBinding(const sqlite::Statement& row)
{
    SnapshotBinding binding;
    binding.checkpoint = { ThreadId(textOf(row, 0)), textOf(row, 1), CheckpointId(textOf(row, 2)) };
    binding.partial = row.integer(3) != 0;
    binding.snapshot = SnapshotId(textOf(row, 4));
    binding.part = textOf(row, 5);
    return binding;
}

Result<SnapshotId> readId(const sqlite::Statement& row)
{
    return SnapshotId(textOf(row, 0));
}

// Returns nothing if the file has no tables of ours.
template<typename Row, typename... Args>
Result<std::vector<Row>> selectSnapshots(CheckpointFile& file, const std::string& sql,
                                         Result<Row> (*read)(const sqlite::Statement&), const Args&... args)
{
    std::vector<Row> found;
    auto done = file.read([&](Connection& connection) -> Result<void> {
        if (!connection.schema.hasSnapshots)
            return {};
        auto rows = connection.db.cached(sql);
        if (!rows)
            return std::move(rows.error());
        int index = 0;
        (rows->bind(++index, args), ...);
        return sqlite::eachRow(*rows, [&]() -> Result<void> {
            auto one = read(*rows);
            if (!one)
                return std::move(one.error());
            found.push_back(std::move(*one));
            return {};
        });
    });
    if (!done)
        return std::move(done.error());
    return found;
}

template<typename Row>
Result<std::optional<Row>> firstOf(Result<std::vector<Row>> rows)
{
    if (!rows)
        return std::move(rows.error());
    if (rows->empty())
        return std::optional<Row>();
    return std::optional<Row>(std::move(rows->front()));
}

} // namespace

Result<void> SqliteSnapshotLog::put(const SnapshotRecord& record)
{
    const auto insert = [&](sqlite::Db& db) {
        const std::string body = encodeMsgpack(record.body);
        return db.run("INSERT INTO sandglass_snapshots (snapshot_id, thread_id, body) VALUES (?, ?, ?)"
                      " ON CONFLICT (snapshot_id) DO UPDATE SET body = excluded.body",
                      record.id.value, record.thread.value, sqlite::Blob{ body });
    };
    return m_file.write(insert, CheckpointFile::Commit::Beside);
}

Result<void> SqliteSnapshotLog::bind(const SnapshotBinding& binding)
{
    return m_file.write([&](sqlite::Db& db) {
        return db.run("INSERT OR REPLACE INTO sandglass_session_snapshots"
                      " (thread_id, checkpoint_ns, checkpoint_id, partial, part, snapshot_id)"
                      " VALUES (?, ?, ?, ?, ?, ?)",
                      binding.checkpoint.thread.value, binding.checkpoint.ns, binding.checkpoint.id.value,
                      std::int64_t{ binding.partial ? 1 : 0 }, binding.part, binding.snapshot.value);
    });
}

Result<void> SqliteSnapshotLog::dropPartial(const CheckpointRef& startedFrom)
{
    return m_file.write([&](sqlite::Db& db) {
        return db.run("DELETE FROM sandglass_session_snapshots WHERE thread_id = ? AND checkpoint_ns = ?"
                      " AND checkpoint_id = ? AND partial = 1",
                      startedFrom.thread.value, startedFrom.ns, startedFrom.id.value);
    });
}

Result<void> SqliteSnapshotLog::remove(const SnapshotId& id)
{
    return m_file.write([&](sqlite::Db& db) {
        return db.run("DELETE FROM sandglass_snapshots WHERE snapshot_id = ?", id.value);
    });
}

Result<std::vector<SnapshotBinding>> SqliteSnapshotLog::bindingsAt(const CheckpointRef& ref, bool partial)
{
    return selectSnapshots(
        m_file,
        std::string(kBindingColumns)
            + " WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ? AND partial = ?"
              " ORDER BY part",
        readBinding, ref.thread.value, ref.ns, ref.id.value, std::int64_t{ partial ? 1 : 0 });
}

Result<std::optional<SnapshotRecord>> SqliteSnapshotLog::get(const SnapshotId& id)
{
    return firstOf(selectSnapshots(
        m_file, "SELECT snapshot_id, thread_id, body FROM sandglass_snapshots WHERE snapshot_id = ?",
        readSnapshot, id.value));
}

Result<std::vector<SnapshotBinding>> SqliteSnapshotLog::bindingsOf(const ThreadId& thread)
{
    return selectSnapshots(
        m_file, std::string(kBindingColumns) + " WHERE thread_id = ? ORDER BY checkpoint_id, partial, part",
        readBinding, thread.value);
}

Result<std::vector<SnapshotRecord>> SqliteSnapshotLog::all()
{
    return selectSnapshots(
        m_file, "SELECT snapshot_id, thread_id, body FROM sandglass_snapshots ORDER BY place", readSnapshot);
}

// A partial binding counts, too, as long as its checkpoint is there.
Result<std::vector<SnapshotId>> SqliteSnapshotLog::unbound()
{
    if (!m_file.hasCheckpoints())
        return std::vector<SnapshotId>();
    return selectSnapshots(m_file,
                           "SELECT snapshot_id FROM sandglass_snapshots AS s WHERE NOT EXISTS ("
                           "SELECT 1 FROM sandglass_session_snapshots AS b JOIN checkpoints AS c"
                           " ON c.thread_id = b.thread_id AND c.checkpoint_ns = b.checkpoint_ns"
                           " AND c.checkpoint_id = b.checkpoint_id WHERE b.snapshot_id = s.snapshot_id)",
                           readId);
}

Result<void> SqliteSnapshotLog::putPiece(const std::string& name, std::string_view bytes)
{
    return m_file.write([&](sqlite::Db& db) {
        return db.run("INSERT OR IGNORE INTO sandglass_snapshot_pieces (name, bytes) VALUES (?, ?)", name,
                      sqlite::Blob{ bytes });
    });
}

Result<std::optional<std::string>> SqliteSnapshotLog::piece(const std::string& name)
{
    return firstOf(selectSnapshots(
        m_file, "SELECT bytes FROM sandglass_snapshot_pieces WHERE name = ?",
        +[](const sqlite::Statement& row) -> Result<std::string> { return std::string(row.blob(0)); }, name));
}

Result<void> SqliteSnapshotLog::keepPieces(const std::function<bool(const std::string&)>& isUsed)
{
    const auto names = selectSnapshots(
        m_file, "SELECT name FROM sandglass_snapshot_pieces",
        +[](const sqlite::Statement& row) -> Result<std::string> { return textOf(row, 0); });
    if (!names)
        return names.error();
    return m_file.write([&](sqlite::Db& db) -> Result<void> {
        for (const std::string& name : *names)
            if (!isUsed(name))
                if (auto done = db.run("DELETE FROM sandglass_snapshot_pieces WHERE name = ?", name); !done)
                    return done;
        return {};
    });
}

Result<void> SqliteSnapshotLog::deleteThread(sqlite::Db& db, const ThreadId& thread)
{
    for (const char* table : { "sandglass_snapshots", "sandglass_session_snapshots" })
        if (auto done = db.run(std::string("DELETE FROM ") + table + " WHERE thread_id = ?", thread.value);
            !done)
            return done;
    return {};
}

std::set<std::string> piecesIn(std::string_view body)
{
    std::set<std::string> pieces;
    const auto value = decodeMsgpack(body);
    if (value && (*value)["files"].isList())
        for (const Value& piece : (*value)["files"].asList())
            if (piece.isString())
                pieces.insert(piece.asString());
    return pieces;
}

} // namespace sg::checkpoint
