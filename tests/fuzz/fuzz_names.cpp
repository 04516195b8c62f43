// Stored names in both directions: a stream as a sandbox writes it, in pieces of any length, and a document
// as a database holds it, on its way into an interpreter that takes everything. The first byte says which,
// and how the stream is cut.

#include "core/base/msgpack.h"
#include "core/sessions/snapshots/snapshot_names.h"
#include "tests/fuzz/expect.h"
#include "tests/fuzz/pieces.h"
#include "tests/support/temp_dir.h"

using namespace sg;

namespace {

constexpr std::int64_t kMost = 1 << 20;

artifacts::BlobStore& blobs()
{
    static const test::TempDir folder;
    static auto store = artifacts::BlobStore::open(folder / "contents");
    fuzz::expect(bool(store), "there is a folder for contents");
    return *store;
}

// Takes all, and answers nothing: it has ended by the time that somebody asks.
class Sink final : public sandbox::ByteStream {
public:
    Result<std::size_t> read(char*, std::size_t, Millis) override { return std::size_t(0); }
    Result<void> write(std::string_view bytes) override
    {
        written += bytes.size();
        return {};
    }
    void close() override { }

    std::size_t written = 0;
};

void readBack(const Value& names)
{
    Sink sink;
    sessions::RunnerLink link(sink, [](const sessions::Frame&) {});
    const auto loaded = sessions::loadNames(link, names, blobs(), Millis(0));
    fuzz::expect(!loaded, "nobody has read it");
    fuzz::expect(sink.written > 0, "it was asked for");
    static_cast<void>(sessions::leftOut(names));
}

void writeOut(std::string_view stream, std::size_t chunk)
{
    sessions::StoredNamesReader reader(blobs(), kMost);
    for (std::size_t at = 0; at < stream.size(); at += chunk)
        if (!reader.feed(stream.substr(at, chunk)))
            return;
    const auto names = reader.finish();
    fuzz::expect(reader.newBytes() <= kMost, "no more is kept than the limit says");
    if (!names)
        return;
    for (const std::string& hash : reader.blobs())
        fuzz::expect(blobs().has(hash), "what a record refers to is there", hash);
    const auto same = decodeMsgpack(encodeMsgpack(*names));
    fuzz::expect(same && *same == *names, "a database can hold it");
    readBack(*names);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz::Pieces pieces(data, size);
    const std::uint8_t how = pieces.byte();
    const std::string_view rest = pieces.rest();
    if ((how & 1) != 0) {
        writeOut(rest, 1 + (how >> 1));
    } else if (const auto names = decodeMsgpack(rest)) {
        readBack(*names);
    }
    return 0;
}
