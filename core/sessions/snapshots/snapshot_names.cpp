#include "core/sessions/snapshots/snapshot_names.h"

#include "core/base/msgpack.h"
#include "core/base/printable.h"
#include "core/base/redaction.h"
#include "core/sessions/runner/load_stream.h"
#include "core/sessions/runner/piece_queue.h"
#include "core/sessions/snapshots/snapshot_room.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace sg::sessions {
namespace {

using std::chrono::steady_clock;

constexpr std::int64_t kNamesWorthAThread = 4 << 20;
constexpr Millis kPieceTime{ 60'000 };
constexpr Millis kCarefulTime{ 300'000 }; // for the first piece: deadly names are looked for before
constexpr int kTries = 3;
constexpr std::int64_t kInVain = 5; // times the room that there is
constexpr std::int64_t kSmallest = 16 << 20;
constexpr std::size_t kFewBlobs = 64; // flushed one by one

Error brokenStream(const char* what)
{
    return { Errc::Corrupt, std::string("the stored names are no stream of such: ") + what };
}

std::string numberBytes(std::uint64_t value)
{
    std::string bytes(4, '\0');
    for (int i = 3; i >= 0; --i, value >>= 8U)
        bytes[static_cast<std::size_t>(i)] = static_cast<char>(value & 0xffU);
    return bytes;
}

Result<void> sendRecord(LoadStream& stream, const Value& record)
{
    const std::string bytes = encodeMsgpack(record);
    if (auto sent = stream.add(numberBytes(bytes.size())); !sent)
        return sent;
    return stream.add(bytes);
}

Result<void> sendBlob(LoadStream& stream, const Value& hash, std::int64_t size,
                      const artifacts::BlobStore& blobs)
{
    if (!hash.isString())
        return brokenStream("a name without content");
    if (stream.isDirect() || size < kNamesWorthAThread) // hashing overlaps with the interpreter's reading
        return blobs.read(hash.asString(), [&](std::string_view bytes) { return stream.add(bytes); });
    PieceQueue<std::string> pieces;
    Result<void> read;
    Result<void> sent;
    {
        const std::jthread reader([&] {
            read = blobs.read(hash.asString(), [&](std::string_view bytes) -> Result<void> {
                return pieces.put(std::string(bytes)) ? Result<void>()
                                                      : brokenStream("the interpreter takes no more");
            });
            pieces.finish();
        });
        while (const auto piece = pieces.take()) {
            sent = stream.add(*piece);
            if (sent)
                continue;
            pieces.abandon();
            break;
        }
    }
    return sent ? std::move(read) : std::move(sent);
}

// Looks at names, modules, folders, and small contents in the record itself; the larger ones were checked as
// they were stored.
bool holdsSecretIn(const Value& names)
{
    return valueWithoutSecrets(names) != names;
}

bool isWhole(const Value& record, const artifacts::BlobStore& blobs)
{
    if (!record["data"].isBytes() && !(record["blob"].isString() && blobs.has(record["blob"].asString())))
        return false;
    if (!record["buffers"].isList())
        return false;
    return std::ranges::all_of(record["buffers"].asList(), [&](const Value& buffer) {
        return buffer[0].isString() && buffer[1].isInt() && blobs.has(buffer[0].asString());
    });
}

Result<void> sendName(LoadStream& stream, const Value& record, const artifacts::BlobStore& blobs)
{
    ValueList sizes;
    for (const Value& buffer : record["buffers"].asList())
        sizes.push_back(buffer[1]);
    const Value& data = record["data"];
    const std::int64_t size =
        data.isBytes() ? static_cast<std::int64_t>(data.asBytes().size()) : record.intOr("size", 0);
    auto sent = sendRecord(stream,
                           Value::map({ { "kind", "name" },
                                        { "name", record["name"] },
                                        { "scope", record["scope"] },
                                        { "memo", record["memo"] },
                                        { "pickle", size },
                                        { "buffers", Value(std::move(sizes)) } }));
    for (const Value& buffer : record["buffers"].asList())
        if (sent)
            sent = sendBlob(stream, buffer[0], buffer[1].asInt(), blobs);
    if (!sent)
        return sent;
    return data.isBytes() ? stream.add(data.asBytes()) : sendBlob(stream, record["blob"], size, blobs);
}

// Replaces a name whose content is gone: later names may refer to objects that came with it.
Value goneName(const Value& record)
{
    return Value::map({ { "kind", "missing" },
                        { "name", record["name"] },
                        { "scope", record["scope"] },
                        { "memo", record["memo"] },
                        { "reason", "its stored content is gone" } });
}

Result<void> sendNames(LoadStream& stream, const Value& names, const artifacts::BlobStore& blobs,
                       bool carefully)
{
    auto sent = sendRecord(stream,
                           Value::map({ { "kind", "world" },
                                        { "python", names["python"] },
                                        { "files", names["files"] },
                                        { "careful", carefully } }));
    if (names["records"].isList())
        for (const Value& record : names["records"].asList()) {
            if (!sent)
                return sent;
            if (record["kind"] != Value("name"))
                sent = sendRecord(stream, record);
            else if (isWhole(record, blobs))
                sent = sendName(stream, record, blobs);
            else
                sent = sendRecord(stream, goneName(record));
        }
    if (sent)
        sent = sendRecord(stream, Value::map({ { "kind", "end" } }));
    return sent ? stream.finish() : sent;
}

// Flushes the blobs of all names that have come.
Result<Value> finished(StoredNamesReader& reader, artifacts::BlobStore& blobs)
{
    auto names = reader.finish();
    if (!names)
        return names;
    if (holdsSecretIn(*names))
        return Error{ Errc::InvalidArgument,
                      "a name of the session holds a secret, and so none is written out" };
    const std::vector<std::string>& written = reader.blobs();
    auto flushed = written.empty()    ? Result<void>()
        : written.size() <= kFewBlobs ? blobs.flush(written)
                                      : blobs.flush();
    if (!flushed)
        return std::move(flushed.error());
    return names;
}

// Reads until the stream ends, or the consumer has abandoned the queue.
Result<void> receivePieces(RunnerLink::Exchange& exchange, Millis patience, PieceQueue<Value>& pieces)
{
    while (true) {
        const auto frame = exchange.next(steady_clock::now() + patience);
        if (!frame)
            return frame.error();
        patience = kPieceTime;
        const Value& data = frame->body["data"];
        if (frame->event == "end")
            return {};
        if (frame->event != "piece" || !data.isBytes())
            return Error{ frame->body["error"].stringOr("type", "") == "InterpreterDied" ? Errc::NotFound
                                                                                         : Errc::Unavailable,
                          "the names cannot be written out: "
                              + frame->body["error"].stringOr("message", frame->event) };
        if (!pieces.put(data))
            return {};
    }
}

struct StoreRequest {
    RunnerLink& link;
    ValueMap message;
    const NamesRoom& room;
};

// Feeds `reader` with what comes. `isCareful`: names that kill the process which pickles them are looked for
// first, each in a process of its own.
Result<void> receiveNames(const StoreRequest& request, bool isCareful, StoredNamesReader& reader)
{
    ValueMap message = request.message;
    if (isCareful)
        message.set("careful", true);
    auto exchange = request.link.begin(std::move(message));
    if (!exchange)
        return std::move(exchange.error());
    PieceQueue<Value> pieces;
    Result<void> fed;
    Result<void> received;
    {
        const std::jthread writer([&] {
            for (auto piece = pieces.take(); piece && fed; piece = pieces.take())
                if (fed = reader.feed(piece->asBytes()); !fed)
                    pieces.abandon();
        });
        received = receivePieces(*exchange, isCareful ? kCarefulTime : kPieceTime, pieces);
        pieces.finish();
    }
    if (request.room.project != nullptr)
        request.room.project->add(reader.newBytes());
    if (fed && received)
        return {};
    // The stream is not read any more.
    static_cast<void>(request.link.send({ { "op", "interrupt" }, { "id", exchange->id() } }));
    return std::move(fed ? received.error() : fed.error());
}

} // namespace

std::int64_t mostOfNames(std::int64_t memoryBytes, std::int64_t projectBytes)
{
    std::int64_t most = NamesRoom().most;
    if (memoryBytes > 0) // an object of several names is written for each
        most = std::min(most, 2 * memoryBytes);
    return projectBytes > 0 ? std::min(most, projectBytes) : most;
}

Result<Value> storeNames(RunnerLink& link, const SnapshotId& copy, artifacts::BlobStore& blobs,
                         const NamesRoom& room, AfterStoring after)
{
    ValueMap message{ { "op", "store" }, { "snapshot", copy.value } };
    if (after == AfterStoring::Ends)
        message.set("leaves", true);
    if (room.ahead)
        message.set("room", *room.ahead);
    const StoreRequest request{ link, std::move(message), room };
    for (int tries = 1;; ++tries) {
        // The runner gives up a name that turns out to need more than the room, after part of it was sent:
        // so more is accepted than is kept.
        StoredNamesReader reader(
            blobs, room.ahead ? std::min(room.most, kInVain * *room.ahead + kSmallest) : room.most);
        if (auto received = receiveNames(request, tries > 1, reader); !received)
            return std::move(received.error());
        if (reader.isWhole())
            return finished(reader, blobs);
        if (tries == kTries || link.failure())
            return Error{ Errc::Corrupt,
                          "the names cannot be written out: the process that does it ended early" };
    }
}

Result<Value> namesFrom(std::string_view stream, artifacts::BlobStore& blobs)
{
    StoredNamesReader reader(blobs, static_cast<std::int64_t>(stream.size()));
    if (auto fed = reader.feed(stream); !fed)
        return std::move(fed.error());
    return finished(reader, blobs);
}

std::int64_t leftOut(const Value& names)
{
    return names.intOr("over", 0);
}

Result<std::vector<NamedThing>> loadNames(RunnerLink& link, const Value& names,
                                          const artifacts::BlobStore& blobs, Millis patience, bool carefully)
{
    auto stream = LoadStream::begin(link, patience);
    if (!stream)
        return std::move(stream.error());
    auto sent = sendNames(**stream, names, blobs, carefully);
    if (!sent && !(*stream)->isAbandoned())
        return std::move(sent.error());
    auto frame = (*stream)->answer();
    if (!frame)
        return std::move(frame.error());
    if (frame->event != "loaded" || !frame->body["missing"].isList())
        return Error{ Errc::Unavailable,
                      "the names cannot be read back: "
                          + frame->body["error"].stringOr("message", frame->event) };
    if (!sent)
        return std::move(sent.error());
    std::vector<NamedThing> missing;
    for (const Value& each : frame->body["missing"].asList())
        missing.push_back(
            { printableText(each.stringOr("kind", "?")), printableText(each.stringOr("name", "?")) });
    return missing;
}

} // namespace sg::sessions
