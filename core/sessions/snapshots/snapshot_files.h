#pragma once

#include "core/artifacts/blob_store.h"
#include "core/base/result.h"
#include "core/sandbox/folder_view.h"
#include "core/sessions/runner/runner_link.h"
#include "core/sessions/snapshot.h"
#include "core/sessions/snapshots/visible_folder.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sg::sessions {

class SnapshotRoom;

// SnapshotFiles records the session folder of one sandbox into a blob store, and restores it. It remembers
// what it saw, so that only changes are read. Belongs to one sandbox, and to the holder of its session's
// line.
class SnapshotFiles {
public:
    // `view` is the sandbox's; where it is null or shows nothing, the runner is asked. `isKept`: files that
    // this program keeps in the host's folder lie there too (the session's log), and stay as they are.
    SnapshotFiles(RunnerLink& link, artifacts::BlobStore& blobs, sandbox::FolderView* view = nullptr,
                  bool isKept = false)
        : m_link(link)
        , m_blobs(blobs)
        , m_view(view)
        , m_isKept(isKept)
    {
    }

    struct Recorded {
        std::shared_ptr<const FileMap> files; // null: over the cap, `problem` says by how much
        std::string problem;
        std::vector<NamedThing> left;
        std::int64_t bytes = 0;
    };
    // Contents are on disk only after flush().
    // `room` is asked before anything new is written; null: no cap.
    Result<Recorded> record(std::int64_t capBytes, SnapshotRoom* room = nullptr);
    Result<void> flush();

    // Makes the smallest change and returns how many paths it changed. Errc::NotFound, Corrupt: a content is
    // gone or damaged; the folder is then partly restored.
    Result<std::int64_t> restore(const FileMap& target);
    // Removes all but the empty artifacts folder; otherwise as restore().
    Result<std::int64_t> clear();

private:
    struct Seen { // a path, in this sandbox
        std::int64_t inode = 0;
        std::int64_t ctimeNs = 0;
        std::int64_t links = 1;
        std::int64_t scan = 0; // the last scan that found it, where the folder is visible
        bool isFresh = false; // it had changed just before that scan
        FileEntry entry;
        bool isKnown = false; // its content has been read, or was written by us
        [[nodiscard]] bool isStill(const struct stat& found) const;
    };
    struct File { // being read
        std::string path;
        Seen* seen;
        std::unique_ptr<artifacts::BlobWriter> writer;
        bool failed = false;
        bool isRefused = false; // its content must not be kept
    };
    struct Step {
        Value value;
        std::size_t bytes = 0;
    };
    class Reader;
    struct Change;
    static constexpr std::chrono::milliseconds kAnswerTime{ 60'000 };

    static Value pathValue(const std::string& path); // text where it is UTF-8, else bytes
    struct Looking { // closes the folder at the end
        explicit Looking(SnapshotFiles& looks)
            : files(looks)
        {
        }
        ~Looking() { files.m_visible.reset(); }
        Looking(const Looking&) = delete;
        Looking& operator=(const Looking&) = delete;
        SnapshotFiles& files;
    };
    Result<void> look();
    Result<void> scan();
    [[nodiscard]] bool isNoneOfItsCode(std::string_view path) const;
    void see(const std::string& path, const struct stat& found, std::int64_t freshSince);
    Seen* expected(const std::string& path); // null: not seen before
    void noteOrder(const std::vector<std::string>& paths);
    Result<void> scanByRunner();
    Result<void> takeEntry(const Value& entry);
    Result<void> readContents(std::vector<NamedThing>& left, const FileMap* target);
    Result<void> readVisible(File& file);
    Result<void> readVisible(std::vector<File>& files);
    void linkNames();
    [[nodiscard]] FileMap mapNow() const;
    [[nodiscard]] FileMap withoutItsOwn(const FileMap& target) const;
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
    sandbox::FolderView* m_view;
    const bool m_isKept;
    std::optional<VisibleFolder> m_visible; // open only during a look: it would keep a dead sandbox's files
    std::int64_t m_scans = 0;
    std::vector<std::pair<const std::string*, Seen*>> m_order; // into m_seen, in the order of the last walk
    std::size_t m_nextInOrder = 0;
    bool m_isInOrder = false; // no path was added or removed since
    std::int64_t m_token = 0;
    std::unordered_map<std::string, Seen> m_seen;
    std::vector<NamedThing> m_problems; // of the last scan
    std::optional<Recorded> m_recorded; // as long as nothing has changed since
    std::vector<std::string> m_written; // blobs not flushed yet
    std::atomic<std::int64_t> m_newBytes = 0; // in blobs that are new, by the last record()
    ValueList m_steps;
    std::size_t m_stepBytes = 0;
};

} // namespace sg::sessions
