#include "core/checkpoint/thread_outline.h"

#include "core/base/msgpack.h"
#include "core/base/msgpack_reader.h"
#include "core/base/stored_time.h"
#include "core/checkpoint/serde/checkpoint_codec.h"
#include "core/checkpoint/serde/typed_value.h"
#include "core/checkpoint/sqlite/checkpoint_file.h"
#include "core/checkpoint/sqlite/large_row.h"
#include "core/checkpoint/sqlite/rows.h"
#include "core/sqlite/each_row.h"

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>

namespace sg::checkpoint {
namespace {

constexpr const char* kFromCheckpoints =
    " FROM checkpoints WHERE thread_id = ?1 AND checkpoint_ns = ?2 AND checkpoint_id > ?3"
    " ORDER BY checkpoint_id LIMIT ?4";
constexpr const char* kWriteColumns =
    ", idx, channel, type, CASE WHEN channel = '__error__' THEN value END,"
    " checkpoint_id FROM writes WHERE thread_id = ?1 AND checkpoint_ns = ?2";
constexpr const char* kSelectOutlineTasks =
    "SELECT checkpoint_id, task_id, node, step, attempt, started_at, seconds, outcome, error, detail"
    " FROM sandglass_tasks WHERE thread_id = ?1 AND checkpoint_ns = ?2 AND checkpoint_id > ?3"
    " AND checkpoint_id <= ?4 ORDER BY checkpoint_id, task_id, attempt";
constexpr const char* kSelectNamespaces =
    "WITH RECURSIVE found(ns) AS (SELECT min(checkpoint_ns) FROM checkpoints WHERE thread_id = ?1 AND"
    " checkpoint_ns > '' UNION ALL SELECT (SELECT min(checkpoint_ns) FROM checkpoints WHERE thread_id = ?1"
    " AND checkpoint_ns > found.ns) FROM found WHERE found.ns IS NOT NULL)"
    " SELECT ns FROM found WHERE ns IS NOT NULL LIMIT ?2";

// Tells the channels that decide what runs next from channels of the state, which people name.
bool isEngines(std::string_view channel)
{
    return channel.starts_with("__") || channel.starts_with("branch:to:") || channel.starts_with("join:");
}

bool takeValues(MsgpackReader& reader, Checkpoint& checkpoint)
{
    const auto count = reader.mapSize();
    for (std::uint32_t i = 0; count && i < *count; ++i) {
        const auto name = reader.text();
        if (!name)
            return false;
        if (!isEngines(*name)) {
            if (!reader.skip())
                return false;
            continue;
        }
        const std::string channel(*name);
        auto value = reader.value();
        if (!value)
            return false;
        checkpoint.channelValues.set(channel, *std::move(value));
    }
    return count.has_value();
}

bool takeMap(MsgpackReader& reader, ValueMap& into)
{
    auto value = reader.value();
    if (!value)
        return false;
    if (value->isMap())
        into = std::move(value->editMap());
    return true;
}

std::optional<Checkpoint> outlineOf(std::string_view blob)
{
    MsgpackReader reader(blob, MsgpackLimits().depth - 1);
    const auto count = reader.mapSize();
    Checkpoint checkpoint;
    for (std::uint32_t i = 0; count && i < *count; ++i) {
        const auto key = reader.text();
        bool isTaken = key.has_value();
        if (key == "channel_values") {
            isTaken = takeValues(reader, checkpoint);
        } else if (key == "channel_versions") {
            isTaken = takeMap(reader, checkpoint.channelVersions);
        } else if (key == "versions_seen") {
            isTaken = takeMap(reader, checkpoint.versionsSeen);
        } else if (key == "ts") {
            const auto time = reader.value();
            isTaken = time.has_value();
            checkpoint.timestamp = time && time->isString() ? time->asString() : std::string();
        } else if (isTaken) {
            isTaken = reader.skip();
        }
        if (!isTaken)
            return std::nullopt;
    }
    return count && reader.atEnd() ? std::optional(std::move(checkpoint)) : std::nullopt;
}

Result<std::optional<Checkpoint>> readOutline(Connection& connection, const sqlite::Statement& row)
{
    if (row.text(4) != "msgpack")
        return std::optional<Checkpoint>();
    if (!row.isNull(kCheckpointColumn))
        return outlineOf(row.blob(kCheckpointColumn));
    const auto made = checkpointWithoutState(connection, row);
    if (!made)
        return made.error();
    return outlineOf(*made);
}

Result<CheckpointRecord> readRow(Connection& connection, const sqlite::Statement& row)
{
    auto read = readOutline(connection, row);
    if (!read)
        return std::move(read.error());
    std::optional<Checkpoint>& outline = *read;
    if (!outline) // it has an older form, or the error says what is wrong
        return readLookedRow(connection, row);
    CheckpointRecord record;
    record.ref = readCheckpointRef(row);
    if (const std::string_view parent = row.text(3); !parent.empty())
        record.parent = CheckpointId(std::string(parent));
    record.checkpoint = *std::move(outline);
    record.checkpoint.id = record.ref.id;
    auto metadata = decodeMetadata(row.blob(6));
    if (!metadata)
        return std::move(metadata.error());
    record.metadata = std::move(*metadata);
    return record;
}

Result<OutlineRecord> rowOrProblem(Connection& connection, const sqlite::Statement& row)
{
    OutlineRecord made;
    auto record = readRow(connection, row);
    if (record) {
        made.record = std::move(*record);
        return made;
    }
    made.record.ref = readCheckpointRef(row);
    if (const std::string_view parent = row.text(3); !parent.empty())
        made.record.parent = CheckpointId(std::string(parent));
    made.record.problem = record.error().message;
    return made;
}

PendingWrite readWrite(const sqlite::Statement& row)
{
    PendingWrite write;
    write.taskId = TaskId(std::string(row.text(0)));
    write.taskPath = row.text(1);
    write.index = row.integer(2);
    write.channel = row.text(3);
    write.typeTag = row.text(4);
    if (!row.isNull(5))
        if (auto value = loadsTyped(write.typeTag, row.blob(5)))
            write.value = std::move(*value);
    return write;
}

TaskRecord readOutlineTask(const sqlite::Statement& row)
{
    TaskRecord task;
    task.task = TaskId(std::string(row.text(1)));
    task.node = NodeId(std::string(row.text(2)));
    task.step = row.integer(3);
    task.attempt = row.integer(4);
    task.startedAt = storedTime(std::chrono::microseconds(row.integer(5)));
    task.seconds = row.real(6);
    task.outcome = taskOutcomeNamed(row.text(7));
    task.error = row.text(8);
    task.detail = row.text(9);
    return task;
}

std::string writesSql(const Connection& connection, const char* range)
{
    return std::string("SELECT task_id, ") + (connection.schema.hasTaskPath ? "task_path" : "''")
        + kWriteColumns + range;
}

void sortWrites(std::vector<PendingWrite>& writes)
{
    std::ranges::sort(writes, {}, [](const PendingWrite& write) {
        return std::tie(write.taskPath, write.taskId.value, write.index);
    });
}

// Calls `take` for each row of a table that belongs to one of the records; both are in order of their ids.
template<typename Take>
Result<void> join(sqlite::Statement& rows, int idColumn, std::vector<OutlineRecord>& records, Take take)
{
    auto at = records.begin();
    while (true) {
        const auto row = rows.step();
        if (!row)
            return row.error();
        if (!*row)
            return {};
        const std::string_view id = rows.text(idColumn);
        while (at != records.end() && at->record.ref.id.value.compare(id) < 0)
            ++at;
        if (at == records.end())
            return {};
        if (at->record.ref.id.value == id)
            take(*at, rows);
    }
}

struct Range {
    const ThreadId& thread;
    const std::string& ns;
    const std::string& after;
    const std::string& last;
};

Result<void> addWrites(Connection& connection, const Range& range, std::vector<OutlineRecord>& records)
{
    if (!connection.schema.hasWrites)
        return {};
    auto rows = connection.db.cached(
        writesSql(connection, " AND checkpoint_id > ?3 AND checkpoint_id <= ?4 ORDER BY checkpoint_id"));
    if (!rows)
        return std::move(rows.error());
    rows->bind(1, range.thread.value).bind(2, range.ns).bind(3, range.after).bind(4, range.last);
    auto joined = join(*rows, 6, records, [](OutlineRecord& made, const sqlite::Statement& row) {
        made.record.writes.push_back(readWrite(row));
    });
    for (OutlineRecord& made : records)
        if (made.record.writes.size() > 1)
            sortWrites(made.record.writes);
    return joined;
}

Result<void> addTasks(Connection& connection, const Range& range, std::vector<OutlineRecord>& records)
{
    if (!connection.schema.hasRunLog)
        return {};
    auto rows = connection.db.cached(kSelectOutlineTasks);
    if (!rows)
        return std::move(rows.error());
    rows->bind(1, range.thread.value).bind(2, range.ns).bind(3, range.after).bind(4, range.last);
    auto joined = join(*rows, 0, records, [](OutlineRecord& made, const sqlite::Statement& row) {
        made.tasks.push_back(readOutlineTask(row));
        made.tasks.back().checkpoint = made.record.ref;
    });
    for (OutlineRecord& made : records)
        std::ranges::stable_sort(made.tasks, {}, &TaskRecord::startedAt);
    return joined;
}

// Returns the first id that a statement with these three arguments selects.
template<typename Bound>
Result<std::optional<CheckpointId>> oneId(CheckpointFile& file, const char* sql, const ThreadId& thread,
                                          const std::string& ns, const Bound& bound)
{
    std::optional<CheckpointId> found;
    auto done = file.read([&](Connection& connection) -> Result<void> {
        if (!connection.schema.hasCheckpoints)
            return {};
        auto rows = connection.db.cached(sql);
        if (!rows)
            return std::move(rows.error());
        rows->bind(1, thread.value).bind(2, ns).bind(3, bound);
        const auto row = rows->step();
        if (!row)
            return row.error();
        if (*row)
            found = CheckpointId(std::string(rows->text(0)));
        return {};
    });
    if (!done)
        return std::move(done.error());
    return found;
}

} // namespace

ThreadOutline::ThreadOutline(std::unique_ptr<CheckpointFile> file)
    : m_file(std::move(file))
{
}

ThreadOutline::ThreadOutline(ThreadOutline&&) noexcept = default;
ThreadOutline& ThreadOutline::operator=(ThreadOutline&&) noexcept = default;
ThreadOutline::~ThreadOutline() = default;

Result<ThreadOutline> ThreadOutline::open(const std::filesystem::path& database)
{
    auto file = CheckpointFile::openToRead(database);
    if (!file)
        return std::move(file.error());
    return ThreadOutline(std::move(*file));
}

Result<std::vector<OutlineRecord>> ThreadOutline::read(const ThreadId& thread, const std::string& ns,
                                                       const std::optional<CheckpointId>& after,
                                                       std::int64_t limit)
{
    std::vector<OutlineRecord> records;
    auto done = m_file->read([&](Connection& connection) -> Result<void> {
        if (!connection.schema.hasCheckpoints)
            return {};
        const std::string from = after ? after->value : std::string();
        {
            auto rows = connection.db.cached(std::string("SELECT ") + kLookColumns + kFromCheckpoints);
            if (!rows)
                return std::move(rows.error());
            rows->bind(1, thread.value).bind(2, ns).bind(3, from).bind(4, limit);
            const auto read = sqlite::eachRow(*rows, [&]() -> Result<void> {
                auto record = rowOrProblem(connection, *rows);
                if (!record)
                    return std::move(record.error());
                records.push_back(std::move(*record));
                return {};
            });
            if (!read)
                return read.error();
        }
        if (records.empty())
            return {};
        const std::string last = records.back().record.ref.id.value;
        const Range range{ thread, ns, from, last };
        if (auto added = addWrites(connection, range, records); !added)
            return added;
        return addTasks(connection, range, records);
    });
    if (!done)
        return std::move(done.error());
    return records;
}

Result<std::vector<PendingWrite>> ThreadOutline::writersAt(const CheckpointRef& ref)
{
    std::vector<PendingWrite> writes;
    auto done = m_file->read([&](Connection& connection) -> Result<void> {
        if (!connection.schema.hasWrites)
            return {};
        auto rows = connection.db.cached(writesSql(connection, " AND checkpoint_id = ?3"));
        if (!rows)
            return std::move(rows.error());
        rows->bind(1, ref.thread.value).bind(2, ref.ns).bind(3, ref.id.value);
        return sqlite::eachRow(*rows, [&] { writes.push_back(readWrite(*rows)); });
    });
    if (!done)
        return std::move(done.error());
    sortWrites(writes);
    return writes;
}

Result<std::int64_t> ThreadOutline::count(const ThreadId& thread, const std::string& ns)
{
    std::int64_t count = 0;
    auto done = m_file->read([&](Connection& connection) -> Result<void> {
        if (!connection.schema.hasCheckpoints)
            return {};
        auto rows = connection.db.cached(
            "SELECT count(*) FROM checkpoints WHERE thread_id = ?1 AND checkpoint_ns = ?2");
        if (!rows)
            return std::move(rows.error());
        rows->bind(1, thread.value).bind(2, ns);
        const auto row = rows->step();
        if (!row)
            return row.error();
        count = rows->integer(0);
        return {};
    });
    if (!done)
        return std::move(done.error());
    return count;
}

Result<std::optional<CheckpointId>> ThreadOutline::before(const ThreadId& thread, const std::string& ns,
                                                          std::int64_t count)
{
    return oneId(*m_file,
                 "SELECT checkpoint_id FROM checkpoints WHERE thread_id = ?1 AND checkpoint_ns = ?2"
                 " ORDER BY checkpoint_id DESC LIMIT 1 OFFSET ?3",
                 thread, ns, count);
}

Result<std::optional<CheckpointId>> ThreadOutline::firstFrom(const ThreadId& thread, const std::string& ns,
                                                             const std::string& id)
{
    return oneId(*m_file,
                 "SELECT checkpoint_id FROM checkpoints WHERE thread_id = ?1 AND checkpoint_ns = ?2"
                 " AND checkpoint_id >= ?3 ORDER BY checkpoint_id LIMIT 1",
                 thread, ns, id);
}

Result<std::vector<std::string>> ThreadOutline::namespaces(const ThreadId& thread, std::size_t limit)
{
    std::vector<std::string> found;
    auto done = m_file->read([&](Connection& connection) -> Result<void> {
        if (!connection.schema.hasCheckpoints)
            return {};
        auto rows = connection.db.cached(kSelectNamespaces);
        if (!rows)
            return std::move(rows.error());
        rows->bind(1, thread.value).bind(2, limit);
        return sqlite::eachRow(*rows, [&] { found.emplace_back(rows->text(0)); });
    });
    if (!done)
        return std::move(done.error());
    return found;
}

} // namespace sg::checkpoint
