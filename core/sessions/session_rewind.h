#pragma once

#include "core/artifacts/blob_store.h"
#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/sessions/session_world.h"
#include "core/sessions/snapshot.h"
#include "core/sessions/snapshot_files.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace sg::sessions {

class LiveSandbox;

struct SnapshotLimits {
    int live = 32; // copies of the interpreter that sleep at a time
    std::int64_t fileBytes = 512LL << 20; // of one snapshot's files
};

// The names of a snapshot that was live were written out. On the thread that holds the session's line.
using SnapshotStored = std::function<void(const SnapshotId&, const Value& names)>;

// Takes snapshots of a session and brings it back to them. Knows where the session stands: at a snapshot, or
// somewhere after it. Belongs to who holds the session's line.
class SessionRewind {
public:
    // `blobs`: the folder of file contents; empty: no snapshots are taken.
    SessionRewind(std::filesystem::path blobs, const Clock& clock, SnapshotLimits limits,
                  SnapshotStored stored);
    ~SessionRewind();

    [[nodiscard]] bool isOn() const { return !m_folder.empty(); }

    // Before anything else with a sandbox; another one than before stands nowhere.
    void use(LiveSandbox& live);

    // Code runs, or something happened on its own; `byHand`: a cell, not a call of a graph's node.
    void changes(bool byHand);

    // Errc::Conflict where the stand's source forbids what would be possible; Unavailable where the sandbox
    // ended.
    Result<Restored> bring(const Stand& stand);
    [[nodiscard]] bool standsNowhere() const { return m_at.empty(); }

    // Never fails: what could not be kept is said in it.
    std::shared_ptr<const Snapshot> take();

    // The session is about to end: writes out what sleeps, newest first, as far as there is time.
    void storeAll(Millis patience);

private:
    Result<Restored> bringTo(const Snapshot& snapshot, Stand::Source source);
    Result<Restored> startFresh();
    Result<bool> wake(const Snapshot& snapshot, Restored& restored);
    void takeCopy(Snapshot& snapshot);
    void takeFiles(Snapshot& snapshot);
    void dropOldest();
    Result<void> openBlobs();
    void store(const SnapshotId& copy);

    const std::filesystem::path m_folder;
    const Clock& m_clock;
    const SnapshotLimits m_limits;
    const SnapshotStored m_stored;
    std::optional<artifacts::BlobStore> m_blobs; // opened at the first use
    LiveSandbox* m_live = nullptr;
    std::unique_ptr<SnapshotFiles> m_files; // of m_live
    SnapshotId m_at; // empty: at none
    bool m_changed = false; // since then
    bool m_edited = false; // since then, by hand
    bool m_pristine = true; // nothing has run in this sandbox
    std::deque<SnapshotId> m_copies; // that sleep in this sandbox, oldest first
};

} // namespace sg::sessions
