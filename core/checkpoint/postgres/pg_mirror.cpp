#include "core/checkpoint/postgres/pg_mirror.h"

#include "core/checkpoint/serde/checkpoint_codec.h"
#include "core/checkpoint/serde/typed_value.h"
#include "core/sqlite/each_row.h"

#include <algorithm>
#include <set>
#include <system_error>

namespace sg::checkpoint {
namespace {

constexpr std::int64_t kFewestAtOnce = 4;
constexpr std::int64_t kMostAtOnce = 64;

// xmin is the transaction that wrote the row as it is: it changes with the row.
constexpr const char* kStampsThere =
    "SELECT c.checkpoint_ns, c.checkpoint_id, c.xmin::text || '.' || coalesce(w.stamp, '') FROM checkpoints c"
    " LEFT JOIN (SELECT checkpoint_ns, checkpoint_id, count(*) || '.' || sum(hashtext(task_id || '/' || idx "
    "||"
    " '/' || xmin::text)) AS stamp FROM checkpoint_writes WHERE thread_id = $1::text GROUP BY 1, 2) w"
    " USING (checkpoint_ns, checkpoint_id) WHERE c.thread_id = $1::text";
constexpr const char* kThreadsThere = "SELECT DISTINCT thread_id FROM checkpoints";
constexpr const char* kCopies =
    "CREATE TABLE IF NOT EXISTS sandglass_copies (thread_id TEXT NOT NULL,"
    " checkpoint_ns TEXT NOT NULL, checkpoint_id TEXT NOT NULL, stamp TEXT NOT NULL,"
    " PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id)) WITHOUT ROWID";

Result<void> forgetCopy(sqlite::Db& db, const ThreadId& thread, const std::string& ns, const std::string& id)
{
    for (const char* table : { "checkpoints", "writes", "sandglass_copies" })
        if (auto done = db.run(std::string("DELETE FROM ") + table
                                   + " WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?",
                               thread.value, ns, id);
            !done)
            return done;
    return {};
}

Result<void> storeCopy(sqlite::Db& db, const CheckpointRef& ref, const std::optional<CheckpointId>& parent,
                       const Result<CheckpointRecord>& record)
{
    // A checkpoint that cannot be read is one here, too: its reader says why.
    const std::string type = record ? "msgpack" : "damaged: " + record.error().message;
    const std::string blob = record ? encodeCheckpoint(record->checkpoint) : std::string();
    const std::string metadata = record ? encodeMetadata(record->metadata) : std::string("{}");
    auto done = parent
        ? db.run("INSERT INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id, type, checkpoint,"
                 " metadata, parent_checkpoint_id) VALUES (?, ?, ?, ?, ?, ?, ?)",
                 ref.thread.value, ref.ns, ref.id.value, type, sqlite::Blob{ blob }, sqlite::Blob{ metadata },
                 parent->value)
        : db.run("INSERT INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id, type, checkpoint,"
                 " metadata) VALUES (?, ?, ?, ?, ?, ?)",
                 ref.thread.value, ref.ns, ref.id.value, type, sqlite::Blob{ blob },
                 sqlite::Blob{ metadata });
    if (!done || !record)
        return done;
    for (const PendingWrite& write : record->writes) {
        const TypedBlob value = dumpsTyped(write.value, write.typeTag);
        done = db.run(
            "INSERT OR REPLACE INTO writes (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx,"
            " channel, type, value) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ref.thread.value, ref.ns, ref.id.value, write.taskId.value, write.taskPath, write.index,
            write.channel, value.type, sqlite::Blob{ value.blob });
        if (!done)
            return done;
    }
    return {};
}

} // namespace

Result<void> PgMirror::open()
{
    if (m_file)
        return {};
    std::error_code failed;
    std::filesystem::create_directories(m_path.parent_path(), failed);
    if (!failed)
        std::filesystem::permissions(m_path.parent_path(), std::filesystem::perms::owner_all, failed);
    if (failed)
        return Error{ Errc::Io, "create " + m_path.parent_path().string() + ": " + failed.message() };
    SqliteStoreOptions options;
    options.fullSync = false; // what is lost is copied again
    auto file = CheckpointFile::open(m_path, options);
    if (!file)
        return std::move(file.error());
    auto made = (*file)->write([](sqlite::Db& db) { return db.exec(kCopies); });
    if (!made)
        return made;
    m_file = std::move(*file);
    return {};
}

Result<PgMirror::Stamps> PgMirror::stampsThere(const ThreadId& thread)
{
    auto rows = m_ask({ kStampsThere, { postgres::Parameter::text(thread.value) } });
    if (!rows)
        return std::move(rows.error());
    Stamps stamps;
    for (int row = 0; row < rows->count(); ++row)
        stamps[{ std::string(rows->text(row, 0)), std::string(rows->text(row, 1)) }] = rows->text(row, 2);
    return stamps;
}

Result<PgMirror::Stamps> PgMirror::stampsHere(const ThreadId& thread)
{
    Stamps stamps;
    auto done = m_file->read([&](Connection& connection) -> Result<void> {
        auto rows = connection.db.cached(
            "SELECT checkpoint_ns, checkpoint_id, stamp FROM sandglass_copies WHERE thread_id = ?");
        if (!rows)
            return std::move(rows.error());
        rows->bind(1, thread.value);
        return sqlite::eachRow(*rows, [&] {
            stamps[{ std::string(rows->text(0)), std::string(rows->text(1)) }] = rows->text(2);
        });
    });
    if (!done)
        return std::move(done.error());
    return stamps;
}

Result<std::int64_t> PgMirror::copy(const ThreadId& thread, const std::string& ns,
                                    const std::vector<std::string>& ids, const Stamps& stamps)
{
    PgPage page;
    page.query.thread = thread;
    page.query.ns = ns;
    page.ids = ids;
    page.rows = std::ssize(ids);
    auto rows = m_ask(pageStatement(page));
    if (!rows)
        return std::move(rows.error());
    std::vector<StoredCheckpoint> stored = readPage(*rows);
    const std::int64_t next = nextPageSize(stored, kMostAtOnce);
    auto copied = m_file->write([&](sqlite::Db& db) -> Result<void> {
        for (StoredCheckpoint& each : stored) {
            const CheckpointRef ref = each.record.ref;
            const std::optional<CheckpointId> parent = each.record.parent;
            if (auto done = forgetCopy(db, thread, ns, ref.id.value); !done)
                return done;
            if (auto done = storeCopy(db, ref, parent, joinCheckpoint(std::move(each))); !done)
                return done;
            const auto stamp = stamps.find({ ns, ref.id.value });
            if (stamp == stamps.end())
                continue;
            if (auto done = db.run("INSERT INTO sandglass_copies VALUES (?, ?, ?, ?)", thread.value, ns,
                                   ref.id.value, stamp->second);
                !done)
                return done;
        }
        return {};
    });
    return copied ? Result<std::int64_t>(next) : Result<std::int64_t>(std::move(copied.error()));
}

Result<void> PgMirror::bringOne(const ThreadId& thread)
{
    const auto there = stampsThere(thread);
    if (!there)
        return there.error();
    const auto here = stampsHere(thread);
    if (!here)
        return here.error();
    std::map<std::string, std::vector<std::string>> changed; // by namespace
    for (const auto& [place, stamp] : *there)
        if (const auto copy = here->find(place); copy == here->end() || copy->second != stamp)
            changed[place.first].push_back(place.second);
    std::vector<Place> gone;
    for (const auto& [place, stamp] : *here)
        if (!there->contains(place))
            gone.push_back(place);
    if (!gone.empty()) {
        auto done = m_file->write([&](sqlite::Db& db) -> Result<void> {
            for (const auto& [ns, id] : gone)
                if (auto forgotten = forgetCopy(db, thread, ns, id); !forgotten)
                    return forgotten;
            return {};
        });
        if (!done)
            return done;
    }
    for (const auto& [ns, ids] : changed) {
        auto begin = ids.begin();
        std::int64_t size = kFewestAtOnce;
        while (begin != ids.end()) {
            const auto end = begin + std::min<std::ptrdiff_t>(size, ids.end() - begin);
            const auto next = copy(thread, ns, std::vector<std::string>(begin, end), *there);
            if (!next)
                return next.error();
            size = std::max(*next, std::int64_t{ 1 });
            begin = end;
        }
    }
    return {};
}

// Returns those of the database and those that have copies, which may have been deleted there.
Result<std::vector<std::string>> PgMirror::threads()
{
    auto rows = m_ask({ kThreadsThere, {} });
    if (!rows)
        return std::move(rows.error());
    std::set<std::string> names;
    for (int row = 0; row < rows->count(); ++row)
        names.emplace(rows->text(row, 0));
    auto done = m_file->read([&](Connection& connection) -> Result<void> {
        auto copies = connection.db.cached("SELECT DISTINCT thread_id FROM sandglass_copies");
        if (!copies)
            return std::move(copies.error());
        return sqlite::eachRow(*copies, [&] { names.emplace(copies->text(0)); });
    });
    if (!done)
        return std::move(done.error());
    return std::vector<std::string>(names.begin(), names.end());
}

Result<void> PgMirror::bring(const std::optional<ThreadId>& thread)
{
    const std::lock_guard lock(m_mutex);
    if (auto ready = open(); !ready)
        return ready;
    if (thread)
        return bringOne(*thread);
    const auto all = threads();
    if (!all)
        return all.error();
    for (const std::string& each : *all)
        if (auto done = bringOne(ThreadId(each)); !done)
            return done;
    return {};
}

} // namespace sg::checkpoint
