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

// A session's names as they are written out of an interpreter and read back into another: the streams of
// resources/sandbox/sandglass_runner/stored_names.py. Nothing of them is interpreted here: pickles are bytes.
namespace sg::sessions {

class SnapshotRoom;

// Cuts the stream of a `store` request into records, and puts what belongs to names into blobs (small pickles
// stay in the record). The bytes come from inside the sandbox: lengths are checked, nothing is allocated for
// what has not come. A name whose content holds a known secret becomes a "missing" one.
class StoredNamesReader {
public:
    // `most`: bytes of contents that are taken, of names that came whole and of those that did not.
    StoredNamesReader(artifacts::BlobStore& blobs, std::int64_t most)
        : m_blobs(blobs)
        , m_most(most)
    {
    }
    Result<void> feed(std::string_view bytes);
    // {"python", "files", "records": [{"kind", "name", "scope", …}], "bytes", "over"?}.
    // Errc::Corrupt where the stream ended early. feed() gives Errc::LimitExceeded for more than is taken.
    Result<Value> finish();
    [[nodiscard]] const std::vector<std::string>& blobs() const { return m_written; }
    [[nodiscard]] std::int64_t newBytes() const { return m_newBytes; } // that were not in the blobs before

private:
    enum class Part { RecordSize, Record, ChunkSize, Chunk, BufferCount, BufferSize, Buffer, Ended };

    Result<void> take(std::string_view bytes); // of a part that has come whole, or a piece of content
    Result<void> takeRecord(std::string_view bytes);
    Result<void> takeChunkSize(std::uint64_t size);
    Result<void> write(std::string_view bytes);
    Result<void> endBuffer();
    Result<std::optional<std::string>> endBlob();
    Result<void> hold(std::size_t bytes); // of a record
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
    std::string m_small; // its pickle so far, until it is too long to stay in the record
    std::unique_ptr<artifacts::BlobWriter> m_writer;
    ValueList m_buffers;
    bool m_holdsSecret = false; // of its contents
    std::uint64_t m_bufferCount = 0;
    std::int64_t m_bytes = 0;
    std::int64_t m_newBytes = 0;
    std::size_t m_heldBytes = 0; // of all records, with the pickles that stay in them
    std::vector<std::string> m_written;
};

struct NamesRoom {
    // Written while others work, at the lowest priority; names for which so many bytes are not enough are
    // left out, see leftOut().
    std::optional<std::int64_t> ahead{};
    // The stream is one that the session's code may have made: more is not taken. What is `ahead` is less.
    std::int64_t most = 1LL << 40;
    SnapshotRoom* project = nullptr; // hears of what was new; null: nobody counts
};
// The most that names can come to for a session with so much memory in a project with that cap (0: none).
std::int64_t mostOfNames(std::int64_t memoryBytes, std::int64_t projectBytes);

enum class AfterStoring {
    Sleeps,
    Ends, // a copy that nobody is going to wake: it writes by itself, which saves the fork of who writes for
          // it
};

// Of a sleeping copy; "" is the interpreter itself. Errc::LimitExceeded: more came than there is room for.
// NotFound: it ended meanwhile. Where it fails a copy that was to end may still be there.
Result<Value> storeNames(RunnerLink& link, const SnapshotId& copy, artifacts::BlobStore& blobs,
                         const NamesRoom& room = {}, AfterStoring after = AfterStoring::Sleeps);
// From the stream that came with the answer, where all names are few and plain. Errc::Corrupt: it is not
// whole.
Result<Value> namesFrom(std::string_view stream, artifacts::BlobStore& blobs);
// Names that had no room.
std::int64_t leftOut(const Value& names);

// Into a fresh interpreter, see LoadStream for `patience`. Errc::Corrupt: a content is not what it was.
// Returns what did not come back, by name and reason.
Result<std::vector<NamedThing>> loadNames(RunnerLink& link, const Value& names,
                                          const artifacts::BlobStore& blobs,
                                          Millis patience = std::chrono::minutes(1));

} // namespace sg::sessions
