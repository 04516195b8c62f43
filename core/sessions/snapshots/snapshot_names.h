#pragma once

#include "core/artifacts/blob_store.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/sessions/runner/runner_link.h"
#include "core/sessions/snapshot.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Names are written out of one interpreter and read into another in the streams of
// resources/sandbox/sandglass_runner/stored_names.py. Pickles are opaque bytes here.
namespace sg::sessions {

class SnapshotRoom;

// StoredNamesReader cuts the stream of a `store` request into records and puts contents into blobs (small
// pickles stay in the record). The bytes come from inside the sandbox: lengths are checked, and memory is
// only allocated for bytes that have come. A name whose content holds a known secret becomes a "missing" one.
class StoredNamesReader {
public:
    // `most`: how many bytes of contents are taken, of complete and of broken names together.
    StoredNamesReader(artifacts::BlobStore& blobs, std::int64_t most)
        : m_blobs(blobs)
        , m_most(most)
    {
    }
    Result<void> feed(std::string_view bytes);
    // {"python", "files", "records": [{"kind", "name", "scope", …}], "bytes", "over"?, "outside"?: the
    // folders beside the session's, as the runner marked them}. Errc::Corrupt: the stream ended early. feed()
    // returns Errc::LimitExceeded beyond `most`.
    Result<Value> finish();
    [[nodiscard]] bool isWhole() const { return m_part == Part::Ended; } // its end has come
    [[nodiscard]] const std::vector<std::string>& blobs() const { return m_written; }
    [[nodiscard]] std::int64_t newBytes() const { return m_newBytes; } // not in the blob store before

private:
    enum class Part { RecordSize, Record, ChunkSize, Chunk, BufferCount, BufferSize, Buffer, Ended };

    Result<void> take(std::string_view bytes); // a whole part, or a piece of content
    Result<void> takeRecord(std::string_view bytes);
    Result<void> takeChunkSize(std::uint64_t size);
    Result<void> write(std::string_view bytes);
    Result<void> endBuffer();
    Result<std::optional<std::string>> endBlob();
    Result<void> hold(std::size_t bytes); // bytes of a record
    void expect(Part part, std::uint64_t size);
    Result<void> nextBuffer();

    artifacts::BlobStore& m_blobs;
    const std::int64_t m_most;
    Part m_part = Part::RecordSize;
    std::uint64_t m_left = 4; // of the part
    std::string m_held; // of a part that is taken whole
    ValueMap m_world;
    ValueList m_records;
    ValueMap m_record; // the name that contents belong to
    std::string m_small; // its pickle, while it is short enough for the record
    std::unique_ptr<artifacts::BlobWriter> m_writer;
    ValueList m_buffers;
    bool m_holdsSecret = false; // one of its contents does
    std::uint64_t m_bufferCount = 0;
    std::int64_t m_bytes = 0;
    std::int64_t m_newBytes = 0;
    std::size_t m_heldBytes = 0; // of all records, including small pickles
    std::vector<std::string> m_written;
};

struct NamesRoom {
    // Written while others work, at the lowest priority; names that need more bytes than this are left out,
    // see leftOut().
    std::optional<std::int64_t> ahead{};
    // More is not taken, as the session's code may have made the stream. `ahead` is smaller.
    std::int64_t most = 1LL << 40;
    SnapshotRoom* project = nullptr; // told of new bytes; null: nobody counts
};
// The most that names may take for a session with that memory, in a project with that cap (0: none).
std::int64_t mostOfNames(std::int64_t memoryBytes, std::int64_t projectBytes);

enum class AfterStoring {
    Sleeps,
    Ends, // a copy that nobody is going to wake: waking another one does not end the writing
};

// Stores the names of a sleeping copy; "" is the interpreter itself. A name that kills the process which
// pickles it is left out. Errc::LimitExceeded: no room for them; NotFound: the copy ended meanwhile.
Result<Value> storeNames(RunnerLink& link, const SnapshotId& copy, artifacts::BlobStore& blobs,
                         const NamesRoom& room = {}, AfterStoring after = AfterStoring::Sleeps);
// Reads the stream that came with the answer, where all names are few and plain. Errc::Corrupt: it is
// incomplete.
Result<Value> namesFrom(std::string_view stream, artifacts::BlobStore& blobs);
// Bytes of names that had no room.
std::int64_t leftOut(const Value& names);

// Reads names into a fresh interpreter, see LoadStream for `patience`, and returns those that did not come
// back, with the reason. Errc::Corrupt: a content has changed. `carefully`: after a name has killed the
// interpreter that read it. Each name is read by a process of its own first.
Result<std::vector<NamedThing>> loadNames(RunnerLink& link, const Value& names,
                                          const artifacts::BlobStore& blobs,
                                          Millis patience = std::chrono::minutes(1), bool carefully = false);

} // namespace sg::sessions
