#pragma once

#include "core/artifacts/blob_store.h"
#include "core/base/result.h"
#include "core/sessions/runner_link.h"
#include "core/sessions/snapshot.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sg::sessions {

class SnapshotRoom;

// What lies in one sandbox's session folder, recorded into a blob store and brought back. Remembers what it
// saw, so that only what changed since is read. Belongs to one sandbox, and to who holds its session's line.
class SnapshotFiles {
public:
    SnapshotFiles(RunnerLink& link, artifacts::BlobStore& blobs)
        : m_link(link)
        , m_blobs(blobs)
    {
    }

    struct Recorded {
        std::shared_ptr<const FileMap> files; // null: over the cap, `problem` says by how much
        std::string problem;
        std::vector<NamedThing> left;
        std::int64_t bytes = 0;
    };
    // Contents are on disk once flush() has returned.
    // `room` is asked before anything new is written; null: there is enough.
    Result<Recorded> record(std::int64_t capBytes, SnapshotRoom* room = nullptr);
    Result<void> flush();

    // By the smallest change. Returns how many paths were changed. Errc::NotFound, Corrupt: a content is gone
    // or damaged; the folder is then somewhere on the way.
    Result<std::int64_t> restore(const FileMap& target);
    // Removes all but the empty artifacts folder. The same.
    Result<std::int64_t> clear();

private:
    struct Seen { // of a path, in this sandbox
        std::int64_t inode = 0;
        std::int64_t ctimeNs = 0;
        std::int64_t links = 1;
        FileEntry entry;
        bool isKnown = false; // its content has been read, or was written by us
    };
    struct Step {
        Value value;
        std::size_t bytes = 0;
    };
    class Reader;
    struct Change;
    static constexpr std::chrono::milliseconds kAnswerTime{ 60'000 };

    static Value pathValue(const std::string& path); // text where it is UTF-8, else bytes
    Result<void> scan();
    Result<void> takeEntry(const Value& entry);
    Result<void> readContents(std::vector<NamedThing>& left, const FileMap* target);
    void linkNames();
    [[nodiscard]] FileMap mapNow() const;
    [[nodiscard]] bool isAt(const FileMap& target) const;
    Result<std::int64_t> changeTo(const FileMap& target);
    Result<void> openFolders(Change& change);
    Result<void> makeEntry(const std::string& path, const FileEntry& wanted);
    Result<void> setModesAndTimes(const Change& change);
    Result<void> add(Value step, std::size_t bytes = 0);
    Result<void> addContent(const std::string& path, const FileEntry& entry);
    Result<void> send();
    void adopt(const FileMap& target);

    RunnerLink& m_link;
    artifacts::BlobStore& m_blobs;
    std::int64_t m_token = 0;
    std::unordered_map<std::string, Seen> m_seen;
    std::vector<NamedThing> m_problems; // of the last scan
    std::optional<Recorded> m_recorded; // as long as nothing has changed since
    bool m_wrote = false; // blobs since the last flush
    ValueList m_steps;
    std::size_t m_stepBytes = 0;
};

} // namespace sg::sessions
