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

// Says what is kept of a sandbox at a checkpoint.
struct SnapshotMark {
    enum class Kind {
        None, // another program's checkpoint, the snapshot was removed, or only `files` could be kept
        Fresh, // the sandbox had not been used yet
        Live, // the interpreter sleeps in its session: exact while that lives; names are not stored
        Stored, // names were stored, except those in `missing`
        FilesOnly, // the interpreter slept, and ended before its names were stored
    };
    Kind kind = Kind::None;
    SnapshotId snapshot;
    sessions::SessionPart part; // the same in each run
    bool partial = false; // includes what finished tasks of the checkpoint's superstep did
    std::int64_t missing = 0; // number of names
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

// A name of the session at a checkpoint.
struct KeptName {
    std::string name;
    std::string type;
    std::int64_t size = -1; // bytes; -1: unknown
    std::string preview;
    std::string identity; // equal if the content is the same; empty: unknown
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
    std::vector<Difference<KeptName>> names; // only names that both snapshots have stored
    std::vector<Difference<sessions::FileEntry>> files;
    bool namesKnown = true;
    bool filesKnown = true;
};

struct Collected {
    std::int64_t snapshots = 0;
    std::int64_t contents = 0;
    std::int64_t bytes = 0;
};

// Reads what a project keeps of its sandboxes, by checkpoint. It needs no sandbox. Any thread.
class Snapshots {
public:
    // `contents` is the folder with the contents of files and names.
    Snapshots(checkpoint::SnapshotLog& log, std::filesystem::path contents)
        : m_log(log)
        , m_contents(std::move(contents))
    {
    }

    // Looks up the project's sessions in `records`, if the file exists, so that marks tell when a live
    // snapshot was lost with its session. Called before other threads use this object.
    void lookUpSessions(const std::filesystem::path& records);

    // Returns the marks of all checkpoints that have one, with one for each session of the thread.
    Result<std::vector<CheckpointMark>> marks(const ThreadId& thread);
    // Returns what a replay from the checkpoint would restore, by session.
    Result<std::vector<SnapshotMark>> marksAt(const checkpoint::CheckpointRef& ref);
    // Takes the named session; without a name the thread's own, or the only one that was used.
    // Errc::NotFound: the checkpoint has no snapshot of it; InvalidArgument: a session must be named.
    Result<SnapshotMark> mark(const checkpoint::CheckpointRef& ref,
                              const std::optional<std::string>& part = {});
    Result<sessions::Snapshot> at(const checkpoint::CheckpointRef& ref,
                                  const std::optional<std::string>& part = {});
    static std::vector<KeptName> namesOf(const sessions::Snapshot& snapshot); // in order of their names
    Result<SnapshotDiff> diff(const checkpoint::CheckpointRef& before, const checkpoint::CheckpointRef& after,
                              const std::optional<std::string>& part = {});
    // Writes the files of a checkpoint into a new folder and returns their number.
    Result<std::int64_t> exportFiles(const checkpoint::CheckpointRef& ref, const std::filesystem::path& to,
                                     const std::optional<std::string>& part = {});
    // Removes snapshots that belong to no checkpoint, and contents that have been unused for an hour. With a
    // cap it also removes the oldest snapshots until the rest fits; it keeps the newest of each session, and
    // all of a thread in use, because a run may need them soon.
    using InUse = std::function<bool(const ThreadId&)>;
    Result<Collected> collect(std::int64_t capBytes = 0, const InUse& isInUse = {});

private:
    // The contents and pieces that a snapshot needs.
    struct Used {
        SnapshotId id;
        ThreadId thread;
        std::set<std::string> contents{};
        std::set<std::string> pieces{}; // of its file list
    };
    Result<std::vector<Used>> used(); // oldest first
    Result<void> removeOverCap(std::vector<Used>& all, std::int64_t capBytes, const std::set<ThreadId>& inUse,
                               Collected& done);
    Result<std::set<SnapshotId>> stoodAt(const std::set<ThreadId>& threads);
    Result<void> removeContents(const std::set<std::string>& used, Collected& done) const;

    Result<SnapshotMark> markOf(const checkpoint::SnapshotBinding& binding) const;

    checkpoint::SnapshotLog& m_log;
    const std::filesystem::path m_contents;
    std::shared_ptr<sessions::SessionRecords> m_sessions; // null: unknown
};

} // namespace sg::rewind
