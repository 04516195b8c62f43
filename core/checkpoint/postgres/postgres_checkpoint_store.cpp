#include "core/checkpoint/postgres_checkpoint_store.h"

#include "core/checkpoint/metadata_filter.h"
#include "core/checkpoint/postgres/pg_mirror.h"
#include "core/checkpoint/postgres/pg_rows.h"
#include "core/checkpoint/postgres/pg_schema.h"
#include "core/checkpoint/postgres/pg_writer.h"
#include "core/checkpoint/serde/checkpoint_codec.h"
#include "core/checkpoint/serde/typed_value.h"
#include "core/checkpoint/task_writes.h"
#include "core/postgres/outage.h"
#include "core/postgres/sessions.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <set>
#include <unordered_map>
#include <utility>

namespace sg::checkpoint {
namespace {

constexpr const char* kPgPutBlob =
    "INSERT INTO checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)"
    " VALUES ($1, $2, $3, $4, $5, $6)"
    " ON CONFLICT (thread_id, checkpoint_ns, channel, version) DO NOTHING";
constexpr const char* kPgPutCheckpoint =
    "INSERT INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint,"
    " metadata) VALUES ($1, $2, $3, $4, $5, $6)"
    " ON CONFLICT (thread_id, checkpoint_ns, checkpoint_id) DO UPDATE SET checkpoint = EXCLUDED.checkpoint,"
    " metadata = EXCLUDED.metadata, parent_checkpoint_id = EXCLUDED.parent_checkpoint_id";
constexpr const char* kPgKeepWrite =
    "INSERT INTO checkpoint_writes (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, "
    "channel,"
    " type, blob) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
    " ON CONFLICT (thread_id, checkpoint_ns, checkpoint_id, task_id, idx) DO NOTHING";
constexpr const char* kPgReplaceWrite =
    "INSERT INTO checkpoint_writes (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, "
    "channel,"
    " type, blob) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
    " ON CONFLICT (thread_id, checkpoint_ns, checkpoint_id, task_id, idx) DO UPDATE SET task_path ="
    " EXCLUDED.task_path, channel = EXCLUDED.channel, type = EXCLUDED.type, blob = EXCLUDED.blob";
constexpr const char* kPgDeletes[] = { "DELETE FROM checkpoints WHERE thread_id = $1",
                                       "DELETE FROM checkpoint_blobs WHERE thread_id = $1",
                                       "DELETE FROM checkpoint_writes WHERE thread_id = $1" };
constexpr const char* kPgThreads =
    "SELECT t.thread_id, t.checkpoints, t.head, coalesce(c.checkpoint ->> 'ts', '') FROM"
    " (SELECT thread_id, count(*) AS checkpoints, max(checkpoint_id) AS head FROM checkpoints"
    "  WHERE checkpoint_ns = '' GROUP BY thread_id) t"
    " JOIN checkpoints c ON c.thread_id = t.thread_id AND c.checkpoint_ns = '' AND c.checkpoint_id = t.head"
    " ORDER BY t.head DESC, t.thread_id COLLATE \"C\"";
constexpr const char* kPgHeld =
    "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND (classid::bigint << 32) | objid::bigint = hashtextextended($1::text, 7305804402566946915 # "
    "to_regclass('checkpoints')::oid::bigint) LIMIT 1";

std::string labelOf(const CheckpointRef& ref)
{
    return "checkpoint " + ref.id.value + " of thread " + ref.thread.value
        + (ref.ns.empty() ? "" : " (namespace " + ref.ns + ")");
}

// The versions of blobs that are known to be stored, by thread, namespace and channel. A checkpoint's values
// that have not changed since are not sent again. Any thread.
class KnownBlobs {
public:
    using Versions = std::unordered_map<std::string, std::string>;

    void see(const ThreadId& thread, const std::string& ns, Versions versions)
    {
        const std::lock_guard lock(m_mutex);
        if (m_known.size() >= kMostThreads)
            m_known.clear();
        m_known[{ thread, ns }] = std::move(versions);
    }
    [[nodiscard]] bool has(const CheckpointRef& ref, const PgBlob& blob) const
    {
        const std::lock_guard lock(m_mutex);
        const auto known = m_known.find({ ref.thread, ref.ns });
        if (known == m_known.end())
            return false;
        const auto version = known->second.find(blob.channel);
        return version != known->second.end() && version->second == blob.version;
    }
    void add(const ThreadId& thread, const std::string& ns, const std::string& channel,
             const std::string& version)
    {
        const std::lock_guard lock(m_mutex);
        m_known[{ thread, ns }][channel] = version;
    }
    void forget(const ThreadId& thread)
    {
        const std::lock_guard lock(m_mutex);
        std::erase_if(m_known, [&](const auto& entry) { return entry.first.first == thread; });
    }

private:
    static constexpr std::size_t kMostThreads = 256;
    mutable std::mutex m_mutex;
    std::map<std::pair<ThreadId, std::string>, Versions> m_known; // guarded by m_mutex
};

class PostgresCheckpointStore final : public CheckpointStore {
public:
    PostgresCheckpointStore(const postgres::Address& address, std::unique_ptr<CheckpointStore> own,
                            const PostgresStoreOptions& options)
        : m_shown(address.shown)
        , m_readOnly(options.readOnly)
        , m_own(std::move(own))
        , m_outage(std::make_shared<postgres::Outage>(address.shown, options.reconnectMs))
        , m_readers(address, { true, options.statementTimeoutMs, options.reconnectMs }, m_outage,
                    [shown = address.shown](postgres::Connection& session) -> Result<bool> {
                        auto schema = readPgSchema(session, shown);
                        if (!schema)
                            return std::move(schema.error());
                        return schema->hasTables;
                    })
        , m_writer(std::make_shared<PgWriter>(address, options, m_outage))
    {
        if (!options.copies.empty())
            m_mirror = std::make_unique<PgMirror>(
                options.copies, [this](const postgres::Statement& statement) { return read(statement); });
    }
    Result<void> open()
    {
        auto opened = m_readOnly ? m_readers.open() : m_writer->open();
        return opened ? std::move(opened) : Result<void>(postgres::asTold(std::move(opened.error())));
    }

    Result<std::optional<CheckpointRecord>> get(const ThreadId& thread, const std::string& ns,
                                                const std::optional<CheckpointId>& id) override;
    Result<void> list(const CheckpointQuery& query,
                      const std::function<bool(const CheckpointRecord&)>& visit) override;
    Result<std::vector<ThreadSummary>> threads() override;
    Result<void> putEncoded(const CheckpointRef& ref, const std::optional<CheckpointId>& parent,
                            const EncodedCheckpoint& checkpoint) override;
    Result<void> putWrites(const CheckpointRef& ref, const std::vector<PendingWrite>& writes) override;
    Result<void> putTask(const CheckpointRef& ref, const NewWrites& task) override;
    Result<void> putRecord(const CheckpointRecord& record) override;
    Result<void> deleteThread(const ThreadId& thread) override;
    Result<void> together(const std::function<Result<void>()>& work) override;
    RunLog& runLog() override { return m_own->runLog(); }
    SnapshotLog* snapshotLog() override { return m_own->snapshotLog(); }
    DispatchLog* dispatchLog() override { return m_own->dispatchLog(); }
    Result<std::shared_ptr<const void>> hold(const ThreadId& thread) override;
    [[nodiscard]] bool isHeld(const ThreadId& thread) override;
    Result<bool> bringHere(const std::optional<ThreadId>& thread) override;
    Result<std::string> changeMark() override;
    void giveUpWaiting() override { m_readers.giveUpWaiting(); }

private:
    Result<postgres::Rows> read(const postgres::Statement& statement);
    Result<std::vector<StoredCheckpoint>> readPageOf(const PgPage& page);
    Result<void> write(const std::function<Result<void>()>& work);
    void addWrite(const CheckpointRef& ref, const PendingWrite& write, std::int64_t index, bool replaces);
    [[nodiscard]] Error named(Error error, const CheckpointRef& ref) const
    {
        return std::move(error).during(labelOf(ref) + " in " + m_shown);
    }

    const std::string m_shown;
    const bool m_readOnly;
    const std::unique_ptr<CheckpointStore> m_own;
    const std::shared_ptr<postgres::Outage> m_outage;
    postgres::Sessions m_readers;
    const std::shared_ptr<PgWriter> m_writer; // shared with the holds, which may outlive the store
    std::unique_ptr<PgMirror> m_mirror; // null: there is no file for copies
    KnownBlobs m_known;
    struct NewBlob {
        ThreadId thread;
        std::string ns;
        std::string channel;
        std::string version;
        friend auto operator<=>(const NewBlob&, const NewBlob&) = default;
    };
    std::set<NewBlob> m_newBlobs; // of the transaction, each once; used by its thread alone
};

Result<postgres::Rows> PostgresCheckpointStore::read(const postgres::Statement& statement)
{
    auto rows = m_writer->isTogetherHere() ? m_writer->query(statement) : m_readers.query(statement);
    return rows ? std::move(rows) : Result<postgres::Rows>(postgres::asTold(std::move(rows.error())));
}

Result<std::vector<StoredCheckpoint>> PostgresCheckpointStore::readPageOf(const PgPage& page)
{
    const auto rows = read(pageStatement(page));
    if (!rows)
        return rows.error();
    return readPage(*rows);
}

Result<std::optional<CheckpointRecord>> PostgresCheckpointStore::get(const ThreadId& thread,
                                                                     const std::string& ns,
                                                                     const std::optional<CheckpointId>& id)
{
    PgPage page;
    page.query.thread = thread;
    page.query.ns = ns;
    page.query.id = id;
    auto found = readPageOf(page);
    if (!found)
        return std::move(found.error());
    if (found->empty())
        return std::optional<CheckpointRecord>();
    StoredCheckpoint& stored = found->front();
    const CheckpointRef ref = stored.record.ref;
    KnownBlobs::Versions versions;
    for (const PgBlob& blob : stored.blobs)
        versions.insert_or_assign(blob.channel, blob.version);
    auto record = joinCheckpoint(std::move(stored));
    if (!record)
        return named(std::move(record.error()), ref);
    m_known.see(thread, ns, std::move(versions));
    return std::optional(std::move(*record));
}

Result<void> PostgresCheckpointStore::list(const CheckpointQuery& query,
                                           const std::function<bool(const CheckpointRecord&)>& visit)
{
    if (auto valid = checkFilterKeys(query.metadataFilter); !valid)
        return valid;
    constexpr std::int64_t kFewest = 4;
    constexpr std::int64_t kMost = 256;
    PgPage page;
    page.query = query;
    page.rows = kFewest;
    std::int64_t left = query.limit.value_or(-1);
    while (left != 0) {
        if (left > 0 && query.metadataFilter.empty())
            page.rows = std::min(page.rows, left);
        auto found = readPageOf(page);
        if (!found)
            return std::move(found.error());
        const std::int64_t next = nextPageSize(*found, kMost);
        for (StoredCheckpoint& stored : *found) {
            CheckpointRecord unreadable;
            unreadable.ref = stored.record.ref;
            unreadable.parent = stored.record.parent;
            page.after = unreadable.ref;
            auto record = joinCheckpoint(std::move(stored));
            if (!record) { // one row that cannot be read must not hide the others
                unreadable.problem = named(std::move(record.error()), unreadable.ref).message;
                record = std::move(unreadable);
            } else if (!matchesMetadata(query.metadataFilter, record->metadata)) {
                continue;
            }
            if (!visit(*record) || --left == 0)
                return {};
        }
        if (std::ssize(*found) < page.rows)
            return {};
        page.rows = next;
    }
    return {};
}

Result<std::vector<ThreadSummary>> PostgresCheckpointStore::threads()
{
    if (const auto has = m_readers.hasTables(); !has || !*has)
        return has ? Result<std::vector<ThreadSummary>>(std::vector<ThreadSummary>())
                   : postgres::asTold(has.error());
    const auto rows = read({ kPgThreads, {} });
    if (!rows)
        return rows.error();
    std::vector<ThreadSummary> summaries;
    for (int row = 0; row < rows->count(); ++row)
        summaries.push_back({ ThreadId(std::string(rows->text(row, 0))), rows->number(row, 1),
                              CheckpointId(std::string(rows->text(row, 2))),
                              std::string(rows->text(row, 3)) });
    return summaries;
}

Result<void> PostgresCheckpointStore::write(const std::function<Result<void>()>& work)
{
    if (m_readOnly)
        return Error{ Errc::Unsupported, m_shown + " was opened to be read" };
    if (m_writer->isTogetherHere())
        return work();
    auto done = m_writer->together(
        [&] {
            m_newBlobs.clear();
            return work();
        },
        [&] {
            for (const NewBlob& blob : m_newBlobs)
                m_known.add(blob.thread, blob.ns, blob.channel, blob.version);
        });
    return done ? std::move(done) : Result<void>(postgres::asTold(std::move(done.error())));
}

// The records on this machine are committed last: a crash in between loses a record of what happened, never
// the state itself.
Result<void> PostgresCheckpointStore::together(const std::function<Result<void>()>& work)
{
    if (m_readOnly || m_writer->isTogetherHere())
        return write(work);
    return m_own->together([&] { return write(work); });
}

Result<void> PostgresCheckpointStore::putEncoded(const CheckpointRef& ref,
                                                 const std::optional<CheckpointId>& parent,
                                                 const EncodedCheckpoint& checkpoint)
{
    auto divided = divideCheckpoint(checkpoint.blob);
    if (!divided)
        return named(std::move(divided.error()), ref);
    return write([&]() -> Result<void> {
        using P = postgres::Parameter;
        for (PgBlob& blob : divided->blobs) {
            if (m_known.has(ref, blob)
                || !m_newBlobs.insert({ ref.thread, ref.ns, blob.channel, blob.version }).second)
                continue;
            m_writer->add(ref.thread,
                          { kPgPutBlob,
                            { P::text(ref.thread.value),
                              P::text(ref.ns),
                              P::text(blob.channel),
                              P::text(blob.version),
                              P::text(blob.type),
                              { std::move(blob.bytes), false } } });
        }
        m_writer->add(ref.thread,
                      { kPgPutCheckpoint,
                        { P::text(ref.thread.value), P::text(ref.ns), P::text(ref.id.value),
                          parent && !parent->empty() ? P::text(parent->value) : P::null(),
                          P::json(divided->json), P::json(checkpoint.metadata) } });
        m_writer->addHead(ref);
        return {};
    });
}

void PostgresCheckpointStore::addWrite(const CheckpointRef& ref, const PendingWrite& write,
                                       std::int64_t index, bool replaces)
{
    using P = postgres::Parameter;
    TypedBlob value = dumpsTyped(write.value, write.typeTag);
    m_writer->add(ref.thread,
                  { replaces ? kPgReplaceWrite : kPgKeepWrite,
                    { P::text(ref.thread.value),
                      P::text(ref.ns),
                      P::text(ref.id.value),
                      P::text(write.taskId.value),
                      P::text(write.taskPath),
                      P::number(static_cast<std::int32_t>(index)),
                      P::text(write.channel),
                      P::text(value.type),
                      { std::move(value.blob), false } } });
}

Result<void> PostgresCheckpointStore::putWrites(const CheckpointRef& ref,
                                                const std::vector<PendingWrite>& writes)
{
    return write([&]() -> Result<void> {
        for (const TaskWrites& task : writesByTask(writes))
            for (std::size_t i = 0; i < task.writes.size(); ++i)
                addWrite(ref, task.writes[i], task.indexOf(i), task.replaces);
        return {};
    });
}

Result<void> PostgresCheckpointStore::putTask(const CheckpointRef& ref, const NewWrites& task)
{
    const bool replaces = onlySpecial(task);
    return write([&]() -> Result<void> {
        std::int64_t place = 0;
        for (const auto& [channel, value] : task.writes) {
            const std::string& name = channel.asString();
            const std::int64_t index = specialIndex(name).value_or(place++);
            addWrite(ref, { task.task, task.path, index, name, value, {} }, index, replaces);
        }
        return {};
    });
}

Result<void> PostgresCheckpointStore::putRecord(const CheckpointRecord& record)
{
    return write([&]() -> Result<void> {
        if (auto done = put(record.ref, record.parent, record.checkpoint, record.metadata); !done)
            return done;
        for (const PendingWrite& each : record.writes)
            addWrite(record.ref, each, each.index, true);
        return {};
    });
}

Result<void> PostgresCheckpointStore::deleteThread(const ThreadId& thread)
{
    m_known.forget(thread);
    return together([&]() -> Result<void> {
        for (const char* sql : kPgDeletes)
            m_writer->add(thread, { sql, { postgres::Parameter::text(thread.value) } });
        std::erase_if(m_newBlobs, [&](const NewBlob& blob) { return blob.thread == thread; });
        return m_own->deleteThread(thread);
    });
}

Result<std::shared_ptr<const void>> PostgresCheckpointStore::hold(const ThreadId& thread)
{
    if (m_readOnly)
        return Error{ Errc::Unsupported, m_shown + " was opened to be read" };
    if (auto held = m_writer->hold(thread); !held)
        return postgres::asTold(std::move(held.error()));
    return std::shared_ptr<const void>(m_writer.get(),
                                       [writer = m_writer, thread](const void*) { writer->release(thread); });
}

bool PostgresCheckpointStore::isHeld(const ThreadId& thread)
{
    const auto rows = m_readers.query({ kPgHeld, { postgres::Parameter::text(thread.value) } });
    return rows && rows->count() > 0;
}

Result<bool> PostgresCheckpointStore::bringHere(const std::optional<ThreadId>& thread)
{
    if (!m_mirror)
        return false;
    auto done = m_mirror->bring(thread);
    if (!done)
        return std::move(done.error()).during("copy what is asked for from " + m_shown);
    return true;
}

// The server's own counts cost the same however many rows there are. They are late by up to some seconds.
Result<std::string> PostgresCheckpointStore::changeMark()
{
    // It is asked again and again: it does not wait for a server that is away.
    const auto rows = m_readers.query(
        { "SELECT coalesce(string_agg(relid::text || ' ' || n_tup_ins + n_tup_upd + n_tup_del, ' ' ORDER BY "
          "relid), 'none') FROM pg_stat_user_tables WHERE relid IN (to_regclass('checkpoints'), "
          "to_regclass('checkpoint_writes'))",
          {} },
        postgres::Sessions::Waits::Never);
    if (!rows)
        return rows.error();
    return rows->count() > 0 ? std::string(rows->text(0, 0)) : std::string("none");
}

} // namespace

bool isPostgresAddress(std::string_view text)
{
    return postgres::isAddress(text);
}

std::string shownAddress(const std::string& address)
{
    return postgres::shownAddress(address);
}

Result<std::string> postgresDatabaseId(const std::string& address)
{
    auto parsed = postgres::parseAddress(address);
    if (!parsed)
        return std::move(parsed.error());
    return std::move(parsed->id);
}

Result<std::unique_ptr<CheckpointStore>> openPostgresCheckpointStore(const std::string& address,
                                                                     std::unique_ptr<CheckpointStore> own,
                                                                     const PostgresStoreOptions& options)
{
    auto parsed = postgres::parseAddress(address);
    if (!parsed)
        return std::move(parsed.error());
    auto store = std::make_unique<PostgresCheckpointStore>(*parsed, std::move(own), options);
    if (auto opened = store->open(); !opened)
        return std::move(opened.error());
    return std::unique_ptr<CheckpointStore>(std::move(store));
}

} // namespace sg::checkpoint
