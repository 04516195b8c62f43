#include "core/base/msgpack.h"
#include "core/base/redaction.h"
#include "core/sessions/snapshots/snapshot_names.h"

#include <algorithm>
#include <utility>

// The stream of a `store` request, cut into records.
namespace sg::sessions {
namespace {

constexpr std::uint64_t kFailed = 0xffffffff;
constexpr std::uint64_t kMostRecord = 16U << 20;
constexpr std::uint64_t kMostBuffers = 1U << 20;
constexpr std::uint64_t kMostBuffer = 1ULL << 40;
constexpr std::size_t kSmallPickle = 4096; // a pickle that stays in its record
constexpr std::size_t kMostRecords = 1'000'000;
constexpr std::size_t kMostHeld = 128U << 20; // of all records, which become part of a checkpoint

Error brokenNames(const char* what)
{
    return { Errc::Corrupt, std::string("the stored names are no stream of such: ") + what };
}

std::uint64_t number(std::string_view bytes)
{
    std::uint64_t value = 0;
    for (const char byte : bytes)
        value = value << 8U | static_cast<unsigned char>(byte);
    return value;
}

} // namespace

void StoredNamesReader::expect(Part part, std::uint64_t size)
{
    m_part = part;
    m_left = size;
    m_held.clear();
}

Result<void> StoredNamesReader::feed(std::string_view bytes)
{
    while (!bytes.empty()) {
        if (m_part == Part::Ended)
            return brokenNames("more after its end");
        const std::string_view piece =
            bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(m_left, bytes.size())));
        bytes.remove_prefix(piece.size());
        m_left -= piece.size();
        if (m_part == Part::Chunk || m_part == Part::Buffer) {
            if (auto written = write(piece); !written)
                return written;
            if (m_left > 0)
                continue;
            if (m_part == Part::Chunk)
                expect(Part::ChunkSize, 4);
            else if (auto ended = endBuffer(); !ended)
                return ended;
            continue;
        }
        m_held += piece;
        if (m_left > 0)
            continue;
        if (auto taken = take(std::exchange(m_held, {})); !taken)
            return taken;
    }
    return {};
}

Result<void> StoredNamesReader::take(std::string_view bytes)
{
    const std::uint64_t value = m_part == Part::Record ? 0 : number(bytes);
    switch (m_part) {
    case Part::RecordSize:
        if (value == 0 || value > kMostRecord)
            return brokenNames("a record of an impossible size");
        expect(Part::Record, value);
        return {};
    case Part::Record: return takeRecord(bytes);
    case Part::ChunkSize: return takeChunkSize(value);
    case Part::BufferCount:
        if (value > kMostBuffers)
            return brokenNames("too many buffers");
        m_bufferCount = value;
        return nextBuffer();
    case Part::BufferSize:
        if (value > kMostBuffer)
            return brokenNames("a buffer of an impossible size");
        expect(Part::Buffer, value);
        m_small.clear();
        return value == 0 ? endBuffer() : Result<void>();
    case Part::Chunk:
    case Part::Buffer:
    case Part::Ended: break;
    }
    return brokenNames("an unexpected part");
}

Result<void> StoredNamesReader::takeRecord(std::string_view bytes)
{
    auto record = decodeMsgpack(bytes, { kMostRecord, 32 });
    if (!record || !record->isMap() || !(*record)["kind"].isString())
        return brokenNames("a record that is none");
    const std::string kind = (*record)["kind"].asString();
    if (auto held = hold(bytes.size()); !held)
        return held;
    if ((*record)["shown"].isMap()) // another name of an object that holds a secret
        record->editMap().set("shown", valueWithoutSecrets((*record)["shown"]));
    expect(Part::RecordSize, 4);
    if (kind == "end") {
        if (const std::int64_t over = record->intOr("over", 0); over > 0)
            m_world.set("over", over);
        expect(Part::Ended, 0);
        return {};
    }
    if (kind == "outside") { // a file may have a secret in its name
        m_world.set("outside", valueWithoutSecrets(*record));
        return {};
    }
    if (kind == "world") {
        ValueMap world = record->asMap();
        if (const Value* outside = m_world.find("outside"))
            world.set("outside", *outside);
        m_world = std::move(world);
        return {};
    }
    if (m_records.size() >= kMostRecords || !(*record)["name"].isString())
        return brokenNames("a name that is none, or too many");
    if (kind == "name") {
        m_record = record->asMap();
        m_holdsSecret = false;
        m_small.clear();
        m_buffers.clear();
        expect(Part::ChunkSize, 4);
        return {};
    }
    m_records.push_back(std::move(*record));
    return {};
}

Result<void> StoredNamesReader::takeChunkSize(std::uint64_t size)
{
    if (size == kFailed) { // a record that says why follows
        m_writer.reset();
        m_small.clear();
        expect(Part::RecordSize, 4);
        return {};
    }
    if (size > 0) {
        expect(Part::Chunk, size);
        return {};
    }
    if (m_writer) {
        m_record.set("size", static_cast<std::int64_t>(m_writer->size()));
        auto hash = endBlob();
        if (!hash)
            return std::move(hash.error());
        if (*hash)
            m_record.set("blob", std::move(**hash));
    } else {
        if (auto held = hold(m_small.size()); !held)
            return held;
        m_holdsSecret = m_holdsSecret || holdsSecret(m_small);
        m_record.set("data", Bytes{ std::exchange(m_small, {}) });
    }
    expect(Part::BufferCount, 4);
    return {};
}

Result<void> StoredNamesReader::write(std::string_view bytes)
{
    m_bytes += static_cast<std::int64_t>(bytes.size());
    if (m_bytes > m_most)
        return Error{ Errc::LimitExceeded,
                      "its names take more than " + std::to_string(m_most >> 20) + " MB, and are not kept" };
    if (!m_writer && m_part == Part::Chunk && m_small.size() + bytes.size() <= kSmallPickle) {
        m_small += bytes;
        return {};
    }
    if (!m_writer) {
        auto begun = m_blobs.begin(artifacts::BlobStore::Flush::Later);
        if (!begun)
            return std::move(begun.error());
        m_writer = std::move(*begun);
        if (auto written = m_writer->write(std::exchange(m_small, {})); !written)
            return written;
    }
    return m_writer->write(bytes);
}

// nullopt where the content holds a secret.
Result<std::optional<std::string>> StoredNamesReader::endBlob()
{
    const std::unique_ptr<artifacts::BlobWriter> writer = std::move(m_writer);
    auto hash = writer->finish();
    if (!hash && hash.error().code == Errc::InvalidArgument) {
        m_holdsSecret = true;
        return std::optional<std::string>();
    }
    if (!hash)
        return std::move(hash.error());
    if (writer->isNew())
        m_newBytes += static_cast<std::int64_t>(writer->size());
    m_written.push_back(*hash);
    return std::optional(std::move(*hash));
}

Result<void> StoredNamesReader::hold(std::size_t bytes)
{
    m_heldBytes += bytes;
    if (m_heldBytes > kMostHeld)
        return Error{ Errc::LimitExceeded, "its names are too many to be kept" };
    return {};
}

Result<void> StoredNamesReader::endBuffer()
{
    if (!m_writer) // an empty one
        if (auto written = write({}); !written)
            return written;
    const auto size = static_cast<std::int64_t>(m_writer->size());
    auto hash = endBlob();
    if (!hash)
        return std::move(hash.error());
    if (*hash) {
        if (auto held = hold((*hash)->size()); !held)
            return held;
        m_buffers.push_back(Value::list({ std::move(**hash), size }));
    }
    --m_bufferCount;
    return nextBuffer();
}

Result<void> StoredNamesReader::nextBuffer()
{
    if (m_bufferCount > 0) {
        expect(Part::BufferSize, 8);
        return {};
    }
    m_record.set("buffers", Value(std::exchange(m_buffers, {})));
    Value record(std::exchange(m_record, {}));
    if (std::exchange(m_holdsSecret, false))
        record = Value::map({ { "kind", "missing" },
                              { "name", record["name"] },
                              { "scope", record["scope"] },
                              { "memo", record["memo"] }, // of objects that came with it
                              { "reason", "it holds a secret" } });
    m_records.push_back(std::move(record));
    expect(Part::RecordSize, 4);
    return {};
}

Result<Value> StoredNamesReader::finish()
{
    if (m_part != Part::Ended)
        return brokenNames("it ended early");
    m_world.set("records", Value(std::move(m_records)));
    m_world.set("bytes", m_bytes);
    return Value(std::move(m_world));
}

} // namespace sg::sessions
