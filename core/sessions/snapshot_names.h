#pragma once

#include "core/artifacts/blob_store.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/sessions/runner_link.h"
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

// Cuts the stream of a `store` request into records, and puts what belongs to names into blobs (small pickles
// stay in the record). The bytes come from inside the sandbox: lengths are checked, nothing is allocated for
// what has not come.
class StoredNamesReader {
public:
    explicit StoredNamesReader(artifacts::BlobStore& blobs)
        : m_blobs(blobs)
    {
    }
    Result<void> feed(std::string_view bytes);
    // {"python", "pickler", "files", "records": [{"kind", "name", "scope", …}], "bytes", "over"?}.
    // Errc::Corrupt where the stream ended early.
    Result<Value> finish();
    [[nodiscard]] const std::vector<std::string>& blobs() const { return m_written; }

private:
    enum class Part { RecordSize, Record, ChunkSize, Chunk, BufferCount, BufferSize, Buffer, Ended };

    Result<void> take(std::string_view bytes); // of a part that has come whole, or a piece of content
    Result<void> takeRecord(std::string_view bytes);
    Result<void> takeChunkSize(std::uint64_t size);
    Result<void> write(std::string_view bytes);
    Result<void> endBuffer();
    void expect(Part part, std::uint64_t size);
    Result<void> nextBuffer();

    artifacts::BlobStore& m_blobs;
    Part m_part = Part::RecordSize;
    std::uint64_t m_left = 4; // of the part
    std::string m_held; // of a part that is taken whole
    ValueMap m_world;
    ValueList m_records;
    ValueMap m_record; // the name that contents belong to
    std::string m_small; // its pickle so far, until it is too long to stay in the record
    std::unique_ptr<artifacts::BlobWriter> m_writer;
    ValueList m_buffers;
    std::uint64_t m_bufferCount = 0;
    std::int64_t m_bytes = 0;
    std::vector<std::string> m_written;
};

// Of a sleeping copy; "" is the interpreter itself. `room`: written while others work, at the lowest
// priority; names for which so many bytes are not enough are left out, see leftOut().
Result<Value> storeNames(RunnerLink& link, const SnapshotId& copy, artifacts::BlobStore& blobs,
                         std::optional<std::int64_t> room = {});
// Names that had no room.
std::int64_t leftOut(const Value& names);

// Into a fresh interpreter. Returns what did not come back, by name and reason.
Result<std::vector<NamedThing>> loadNames(RunnerLink& link, const Value& names,
                                          const artifacts::BlobStore& blobs);

} // namespace sg::sessions
