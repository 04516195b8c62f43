#pragma once

#include "core/base/result.h"
#include "core/base/snapshot_id.h"
#include "core/checkpoint/snapshot_log.h"
#include "core/sessions/session_part.h"
#include "core/sessions/snapshot.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sg::sessions {
class SessionRecords;
}

namespace sg::rewind {

// What is kept of the sandbox at a checkpoint.
struct SnapshotMark {
    enum class Kind {
        None, // a checkpoint of another program, its snapshot is gone, or no name could be kept, see `files`
        Fresh, // the sandbox had not been used yet
        Live, // the interpreter sleeps in its session: exact while that lives; nothing is written out
        Stored, // names were written out; `missing` were not
        FilesOnly, // the interpreter slept, and ended before its names were written out
    };
    Kind kind = Kind::None;
    SnapshotId snapshot;
    sessions::SessionPart part; // the same in each run
    bool partial = false; // with what finished tasks of the checkpoint's superstep did
    std::int64_t missing = 0; // names
    std::vector<std::string> missingNames; // the first of them
    std::int64_t files = -1; // -1: not kept
    std::int64_t fileBytes = 0;
    std::int64_t nameBytes = 0;
    std::string note; // for people: what was left out, and why
    std::string createdAt{};
};
std::string_view markName(SnapshotMark::Kind kind); // "none", "fresh", "live", "stored", "files only"

struct CheckpointMark {
    checkpoint::CheckpointRef checkpoint;
    SnapshotMark mark;
};

// A name of the session, as it was.
struct KeptName {
    std::string name;
    std::string type;
    std::int64_t size = -1; // bytes; -1: unknown
    std::string preview;
    std::string identity; // equal where the content is the same; empty: unknown
    std::string missing; // not empty: why it was not kept
    std::optional<std::vector<std::int64_t>> shape;
    friend bool operator==(const KeptName&, const KeptName&) = default;
};

template<typename T>
struct Difference {
    std::string name;
    std::optional<T> before;
    std::optional<T> after;
};
struct SnapshotDiff {
    std::vector<Difference<KeptName>> names; // where both snapshots have theirs written out
    std::vector<Difference<sessions::FileEntry>> files;
    bool namesKnown = true;
    bool filesKnown = true;
};

struct Collected {
    std::int64_t snapshots = 0;
    std::int64_t contents = 0;
    std::int64_t bytes = 0;
};

// What a project keeps of its sandboxes, checkpoint by checkpoint. Reads what is stored: needs no sandbox.
// Any thread.
class Snapshots {
public:
    // `contents`: the folder of file and name contents.
    Snapshots(checkpoint::SnapshotLog& log, std::filesystem::path contents)
        : m_log(log)
        , m_contents(std::move(contents))
    {
    }

    // The file of the project's sessions, where there is one: what is live is gone where the session that it
    // sleeps in has ended, and is told so from then on. Before other threads use this.
    void lookUpSessions(const std::filesystem::path& records);

    // Of all its checkpoints that have one; one for each session of the thread.
    Result<std::vector<CheckpointMark>> marks(const ThreadId& thread);
    // What a replay from the checkpoint would restore, session by session.
    Result<std::vector<SnapshotMark>> marksAt(const checkpoint::CheckpointRef& ref);
    // Of the session that is named; without one, of the thread's own, or of the only one that was used.
    // Errc::NotFound where the checkpoint has none of it; InvalidArgument where one must be named.
    Result<SnapshotMark> mark(const checkpoint::CheckpointRef& ref,
                              const std::optional<std::string>& part = {});
    Result<sessions::Snapshot> at(const checkpoint::CheckpointRef& ref,
                                  const std::optional<std::string>& part = {});
    static std::vector<KeptName> namesOf(const sessions::Snapshot& snapshot); // in order of their names
    Result<SnapshotDiff> diff(const checkpoint::CheckpointRef& before, const checkpoint::CheckpointRef& after,
                              const std::optional<std::string>& part = {});
    // Writes the files of a checkpoint into a folder that does not exist yet. How many.
    Result<std::int64_t> exportFiles(const checkpoint::CheckpointRef& ref, const std::filesystem::path& to,
                                     const std::optional<std::string>& part = {});
    // Removes what belongs to no checkpoint any more; contents only where they have been there for an hour.
    // With a cap also the oldest snapshots, until what is left fits; where a thread's sessions stand stays,
    // and all of a thread that is in use: a run may be about to need it.
    using InUse = std::function<bool(const ThreadId&)>;
    Result<Collected> collect(std::int64_t capBytes = 0, const InUse& isInUse = {});

private:
    // What one snapshot needs.
    struct Used {
        SnapshotId id;
        ThreadId thread;
        std::set<std::string> contents;
        std::set<std::string> pieces; // of its list of files
    };
    Result<std::vector<Used>> used(); // oldest first
    Result<void> removeOverCap(std::vector<Used>& all, std::int64_t capBytes, const std::set<ThreadId>& inUse,
                               Collected& done);
    Result<std::set<SnapshotId>> stoodAt(const std::set<ThreadId>& threads);
    Result<void> removeContents(const std::set<std::string>& used, Collected& done) const;

    Result<SnapshotMark> markOf(const checkpoint::SnapshotBinding& binding) const;

    checkpoint::SnapshotLog& m_log;
    const std::filesystem::path m_contents;
    std::shared_ptr<sessions::SessionRecords> m_sessions; // null: none are known
};

} // namespace sg::rewind
