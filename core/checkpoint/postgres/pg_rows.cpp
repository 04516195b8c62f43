#include "core/checkpoint/postgres/pg_rows.h"

#include "core/base/json.h"
#include "core/base/msgpack.h"
#include "core/base/msgpack_reader.h"
#include "core/base/utf8.h"
#include "core/checkpoint/serde/checkpoint_codec.h"
#include "core/checkpoint/serde/typed_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <mutex>
#include <set>
#include <string_view>
#include <tuple>

namespace sg::checkpoint {
namespace {

constexpr std::int8_t kDeltaSnapshotExt = 7;
constexpr std::int64_t kMostBlob = std::int64_t{ 256 } << 20; // bytes of one value that are read
constexpr const char* kSends = "__pregel_tasks";

bool isPlainText(const std::string& text)
{
    constexpr std::size_t kMostJsonText = std::size_t{ 64 } << 20U; // PostgreSQL's own limit is 256 MB
    return text.size() <= kMostJsonText && text.find('\0') == std::string::npos && isValidUtf8(text);
}

// PostgreSQL stores a number by its decimal digits: a double that JSON writes with an exponent comes back as
// an integer, -0.0 without its sign. LangGraph reads both forms, so such values become blobs.
bool isKeptByJson(const Value& value)
{
    if (value.isDouble()) {
        const double number = value.asDouble();
        return std::isfinite(number) && std::abs(number) < 1e15 && !(number == 0 && std::signbit(number));
    }
    if (value.isString())
        return isPlainText(value.asString());
    return value.isNull() || value.isBool() || value.isNumber();
}

std::string versionText(const Value& version)
{
    return version.isString() ? version.asString() : toJson(version);
}

Error noCheckpoint()
{
    return { Errc::Corrupt, "the checkpoint is no map" };
}

// Divides the map of channel_values, where the reader stands.
class ValueDivider {
public:
    explicit ValueDivider(std::string_view blob)
        : m_blob(blob)
    {
    }
    Result<void> divide(MsgpackReader& reader)
    {
        const auto count = reader.mapSize();
        if (!count)
            return noCheckpoint();
        inlined.reserve(*count);
        for (std::uint32_t i = 0; i < *count; ++i) {
            const auto name = reader.text();
            if (!name)
                return Error{ Errc::Unsupported, "a channel's name is no text; PostgreSQL cannot hold it" };
            if (!divideOne(reader, std::string(*name)))
                return noCheckpoint();
        }
        return {};
    }

    ValueMap inlined;
    std::vector<PgBlob> blobs; // their versions are not known yet

private:
    bool divideOne(MsgpackReader& reader, std::string name)
    {
        const std::size_t begin = reader.position();
        const auto head = static_cast<unsigned char>(begin < m_blob.size() ? m_blob[begin] : '\xC1');
        const bool isContainer = (head >= 0x80 && head <= 0x9F) || (head >= 0xDC && head <= 0xDF);
        if (isContainer) { // copied without building its values
            if (!reader.skip())
                return false;
            blobs.push_back({ std::move(name), {}, "msgpack", textFrom(begin, reader) });
            return true;
        }
        auto value = reader.value();
        if (!value)
            return false;
        if (isKeptByJson(*value)) {
            inlined.set(Value(std::move(name)), *std::move(value));
            return true;
        }
        if (value->isBytes()) {
            blobs.push_back({ std::move(name), {}, "bytes", value->asBytes() });
            return true;
        }
        if (value->isExt() && value->asExt().code == kDeltaSnapshotExt)
            inlined.set(Value(name), Value(true)); // LangGraph's mark that there is a snapshot
        blobs.push_back({ std::move(name), {}, "msgpack", textFrom(begin, reader) });
        return true;
    }
    [[nodiscard]] std::string textFrom(std::size_t begin, const MsgpackReader& reader) const
    {
        return std::string(m_blob.substr(begin, reader.position() - begin));
    }

    const std::string_view m_blob;
};

Result<void> setVersions(std::vector<PgBlob>& blobs, const Value* versions)
{
    for (PgBlob& blob : blobs) {
        const Value* version = versions == nullptr ? nullptr : versions->find(blob.channel);
        if (version == nullptr || version->isNull())
            return Error{ Errc::Unsupported,
                          "channel '" + blob.channel
                              + "' holds a value without a version; LangGraph's layout in PostgreSQL has no "
                                "place for it" };
        blob.version = versionText(*version);
    }
    return {};
}

std::optional<std::int64_t> numberIn(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failed == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// The statement's text for these conditions, which must live as long as the program.
const char* kept(std::string sql)
{
    static std::mutex mutex;
    static std::set<std::string> texts;
    const std::lock_guard lock(mutex);
    return texts.insert(std::move(sql)).first->c_str();
}

std::string sizeLimited(const std::string& column)
{
    return "CASE WHEN octet_length(" + column + ") <= " + std::to_string(kMostBlob) + " THEN " + column
        + " END, octet_length(" + column + ")::int";
}

// Kinds of rows that a page's statement returns.
enum Kind : std::uint8_t { Row = 0, Blob = 1, Write = 2, Send = 3 };

std::string pageParts(bool withWrites)
{
    std::string parts =
        "SELECT 0, place, thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint::text,"
        " metadata::text, NULL::bytea, 0 FROM page"
        " UNION ALL SELECT 1, place, b.channel, b.version, b.type, NULL, NULL, NULL, "
        + sizeLimited("b.blob")
        + " FROM page CROSS JOIN LATERAL jsonb_each_text(CASE WHEN jsonb_typeof(checkpoint -> "
          "'channel_versions') = 'object' THEN checkpoint -> 'channel_versions' ELSE '{}' END) v"
          " JOIN checkpoint_blobs b ON b.thread_id = page.thread_id AND b.checkpoint_ns = page.checkpoint_ns"
          " AND b.channel = v.key AND b.version = v.value";
    const std::string columns =
        ", place, w.task_id, w.task_path, w.idx::text, w.channel, w.type, NULL, " + sizeLimited("w.blob");
    if (withWrites)
        parts += " UNION ALL SELECT 2" + columns
            + " FROM page JOIN checkpoint_writes w USING (thread_id, checkpoint_ns, checkpoint_id)";
    // Before version 4 a checkpoint's sends were rows of its parent.
    parts += " UNION ALL SELECT 3" + columns
        + " FROM page JOIN checkpoint_writes w ON w.thread_id = page.thread_id AND w.checkpoint_ns ="
          " page.checkpoint_ns AND w.checkpoint_id = page.parent_checkpoint_id AND w.channel = '"
        + kSends
        + "' WHERE page.checkpoint @> '{\"v\": 3}' OR page.checkpoint @> '{\"v\": 2}'"
          " OR page.checkpoint @> '{\"v\": 1}'";
    return parts;
}

Result<std::string> sizeChecked(const postgres::Rows& rows, int row, const std::string& what)
{
    const std::int64_t size = rows.number(row, 9);
    if (size > kMostBlob)
        return Error{ Errc::LimitExceeded,
                      what + " has " + std::to_string(size) + " bytes; at most " + std::to_string(kMostBlob)
                          + " are read" };
    return std::string(rows.isNull(row, 8) ? std::string_view() : rows.text(row, 8));
}

Result<PendingWrite> readWrite(const postgres::Rows& rows, int row)
{
    PendingWrite write;
    write.taskId = TaskId(std::string(rows.text(row, 2)));
    write.taskPath = rows.text(row, 3);
    write.index = numberIn(rows.text(row, 4)).value_or(0);
    write.channel = rows.text(row, 5);
    write.typeTag = rows.text(row, 6);
    const std::string what = "a write of task " + write.taskId.value + " to " + write.channel;
    auto bytes = sizeChecked(rows, row, what);
    if (!bytes)
        return std::move(bytes.error());
    auto value = loadsTyped(write.typeTag, *bytes);
    if (!value)
        return std::move(value.error()).during(what);
    write.value = std::move(*value);
    return write;
}

void readPart(const postgres::Rows& rows, int row, StoredCheckpoint& stored)
{
    const auto note = [&stored](Error error) {
        if (stored.record.problem.empty())
            stored.record.problem = std::move(error.message);
    };
    if (rows.number(row, 0) == Kind::Blob) {
        PgBlob blob{
            std::string(rows.text(row, 2)), std::string(rows.text(row, 3)), std::string(rows.text(row, 4)), {}
        };
        auto bytes = sizeChecked(rows, row, "the value of channel '" + blob.channel + "'");
        if (!bytes)
            return note(std::move(bytes.error()));
        blob.bytes = std::move(*bytes);
        stored.blobs.push_back(std::move(blob));
        return;
    }
    auto write = readWrite(rows, row);
    if (!write)
        return note(std::move(write.error()));
    auto& writes = rows.number(row, 0) == Kind::Send ? stored.sends : stored.record.writes;
    writes.push_back(std::move(*write));
}

void sortWrites(std::vector<PendingWrite>& writes)
{
    std::ranges::sort(writes, {}, [](const PendingWrite& write) {
        return std::tie(write.taskPath, write.taskId.value, write.index);
    });
}

// LangGraph does the same on reading: the sends become a channel, with the newest version.
void takeSends(Checkpoint& checkpoint, const std::vector<PendingWrite>& sends)
{
    ValueList values;
    for (const PendingWrite& send : sends)
        values.push_back(send.value);
    checkpoint.channelValues.set(kSends, Value(std::move(values)));
    Value newest;
    for (const auto& [channel, version] : checkpoint.channelVersions)
        if (newest.isNull() || versionText(newest) < versionText(version))
            newest = version;
    checkpoint.channelVersions.set(kSends, std::move(newest));
}

} // namespace

Result<DividedCheckpoint> divideCheckpoint(const std::string& blob)
{
    MsgpackReader reader(blob, MsgpackLimits().depth - 1);
    const auto count = reader.mapSize();
    if (!count)
        return noCheckpoint();
    ValueMap fields;
    fields.reserve(*count);
    ValueDivider values(blob);
    for (std::uint32_t i = 0; i < *count; ++i) {
        auto key = reader.value();
        if (!key || !key->isString())
            return noCheckpoint();
        if (key->asString() == "channel_values") {
            if (auto divided = values.divide(reader); !divided)
                return std::move(divided.error());
            fields.set(*std::move(key), Value(std::move(values.inlined)));
            continue;
        }
        auto value = reader.value();
        if (!value)
            return noCheckpoint();
        fields.set(*std::move(key), *std::move(value));
    }
    if (auto set = setVersions(values.blobs, fields.find("channel_versions")); !set)
        return std::move(set.error());
    return DividedCheckpoint{ toJson(Value(std::move(fields))), std::move(values.blobs) };
}

Result<CheckpointRecord> joinCheckpoint(StoredCheckpoint stored)
{
    CheckpointRecord record = std::move(stored.record);
    if (!record.problem.empty())
        return Error{ Errc::Corrupt, std::exchange(record.problem, {}) };
    auto fields = parseJson(stored.json);
    if (!fields)
        return Error{ Errc::Corrupt, "the checkpoint is no JSON: " + fields.error().message };
    if (!fields->isMap())
        return noCheckpoint();
    record.checkpoint = checkpointOfFields(std::move(*fields));
    for (const PgBlob& blob : stored.blobs) {
        if (blob.type == "empty")
            continue;
        auto value = loadsTyped(blob.type, blob.bytes);
        if (!value)
            return std::move(value.error()).during("the value of channel '" + blob.channel + "'");
        record.checkpoint.channelValues.set(blob.channel, std::move(*value));
    }
    if (!stored.sends.empty() && record.checkpoint.version < 4) {
        sortWrites(stored.sends);
        takeSends(record.checkpoint, stored.sends);
    }
    auto metadata = decodeMetadata(stored.metadata);
    if (!metadata)
        return std::move(metadata.error());
    record.metadata = std::move(*metadata);
    sortWrites(record.writes);
    return record;
}

postgres::Statement pageStatement(const PgPage& page)
{
    const CheckpointQuery& query = page.query;
    postgres::Statement statement{ nullptr, {} };
    std::string where;
    const auto add = [&](const std::string& condition, std::string_view value) {
        where += (where.empty() ? " WHERE " : " AND ") + condition;
        statement.parameters.push_back(postgres::Parameter::text(value));
        where += "$" + std::to_string(statement.parameters.size()) + "::text";
    };
    if (query.thread)
        add("thread_id = ", query.thread->value);
    if (query.ns)
        add("checkpoint_ns = ", *query.ns);
    if (query.id)
        add("checkpoint_id = ", query.id->value);
    if (query.before)
        add("checkpoint_id < ", query.before->value);
    if (!page.ids.empty()) {
        std::string ids;
        for (const std::string& id : page.ids)
            ids += (ids.empty() ? "" : "\x01") + id;
        add("checkpoint_id = ANY (string_to_array(", ids);
        where += ", chr(1)))";
    }
    const bool isOneNamespace = query.thread && query.ns;
    if (page.after && isOneNamespace) {
        add("checkpoint_id < ", page.after->id.value);
    } else if (page.after) {
        add("checkpoint_id <= ", page.after->id.value);
        const std::string id = "$" + std::to_string(statement.parameters.size()) + "::text";
        add("(checkpoint_id < " + id + " OR (thread_id COLLATE \"C\", checkpoint_ns COLLATE \"C\") > (",
            page.after->thread.value);
    }
    if (page.after && !isOneNamespace) {
        statement.parameters.push_back(postgres::Parameter::text(page.after->ns));
        where += ", $" + std::to_string(statement.parameters.size()) + "::text))";
    }
    statement.parameters.push_back(postgres::Parameter::number(
        static_cast<std::int32_t>(std::clamp<std::int64_t>(page.rows, 0, 1 << 30))));
    statement.sql = kept(
        "WITH page AS MATERIALIZED (SELECT *, row_number() OVER () AS place FROM (SELECT thread_id,"
        " checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata FROM checkpoints"
        + where + " ORDER BY checkpoint_id DESC"
        + (isOneNamespace ? "" : ", thread_id COLLATE \"C\", checkpoint_ns COLLATE \"C\"") + " LIMIT $"
        + std::to_string(statement.parameters.size()) + "::int) AS newest) " + pageParts(query.withWrites));
    return statement;
}

std::int64_t nextPageSize(const std::vector<StoredCheckpoint>& last, std::int64_t most)
{
    constexpr std::size_t kPageBytes = std::size_t{ 4 } << 20U;
    std::size_t bytes = 1;
    for (const StoredCheckpoint& each : last)
        bytes += each.bytes;
    const auto fitting =
        static_cast<std::int64_t>(kPageBytes * std::max<std::size_t>(last.size(), 1) / bytes);
    return std::clamp<std::int64_t>(std::min(fitting, std::ssize(last) * 2), 1, most);
}

std::vector<StoredCheckpoint> readPage(const postgres::Rows& rows)
{
    std::vector<StoredCheckpoint> page;
    const int count = rows.count();
    for (int row = 0; row < count; ++row) {
        const auto place = static_cast<std::size_t>(rows.number(row, 1));
        if (place == 0 || place > static_cast<std::size_t>(count))
            continue; // row_number() begins with 1
        if (page.size() < place)
            page.resize(place);
        StoredCheckpoint& stored = page[place - 1];
        for (const int column : { 6, 7, 8 })
            stored.bytes += rows.isNull(row, column) ? 0 : rows.text(row, column).size();
        if (rows.number(row, 0) != Kind::Row) {
            readPart(rows, row, stored);
            continue;
        }
        stored.record.ref = { ThreadId(std::string(rows.text(row, 2))), std::string(rows.text(row, 3)),
                              CheckpointId(std::string(rows.text(row, 4))) };
        if (!rows.text(row, 5).empty())
            stored.record.parent = CheckpointId(std::string(rows.text(row, 5)));
        stored.json = rows.text(row, 6);
        stored.metadata = rows.text(row, 7);
    }
    return page;
}

} // namespace sg::checkpoint
