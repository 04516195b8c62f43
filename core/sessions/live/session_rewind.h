#pragma once

#include "core/artifacts/blob_store.h"
#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/sessions/runner/runner_link.h"
#include "core/sessions/session_world.h"
#include "core/sessions/snapshot.h"
#include "core/sessions/snapshots/live_copies.h"
#include "core/sessions/snapshots/snapshot_files.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace sg::sessions {

class SnapshotRoom;

// Takes snapshots of a session and brings it back to them. Knows where the session stands: at a snapshot, or
// somewhere after it. Belongs to who holds the session's line.
class SessionRewind {
public:
    // `blobs`: the folder of file contents; empty: no snapshots are taken.
    // `room` outlives this; null: there is enough. `isKept`: the session's folder is one of the host's, with
    // what this program keeps there.
    SessionRewind(std::filesystem::path blobs, const Clock& clock, SnapshotLimits limits, SnapshotRoom* room,
                  SnapshotStored stored, bool isKept = false);
    ~SessionRewind();

    [[nodiscard]] bool isOn() const { return !m_folder.empty(); }

    // Before anything else with a sandbox; another one than before stands nowhere.
    void use(const std::shared_ptr<LiveSandbox>& live);

    // Code runs, or something happened on its own; `byHand`: a cell, not a call of a graph's node.
    void changes(bool byHand);

    // Errc::Conflict where the stand's source forbids what would be possible; Unavailable where the sandbox
    // ended.
    Result<Restored> bring(const Stand& stand);
    [[nodiscard]] bool standsNowhere() const { return m_at.empty(); }
    // Where it stood last, also in an earlier sandbox; null: nowhere.
    [[nodiscard]] const std::shared_ptr<const Snapshot>& stoodAt() const { return m_last; }
    // Its names were lost, and nobody says where it must stand: brings them back, and the files where they
    // were lost too. What was changed by hand in files that are there stays.
    Result<Restored> comeBack(const std::shared_ptr<const Snapshot>& snapshot, bool filesToo);
    [[nodiscard]] std::vector<SnapshotId> asleep() const { return m_copies.asleep(); }
    // While code runs, now and then: copies make room before the session's memory is used up.
    void watchMemory();

    // Before a call is sent: the interpreter is to copy itself right after it, where it ends well (or
    // `always`), so that take() finds that done or under way. Then one of take() and dismiss() comes.
    void prepare(ValueMap& call, bool always);
    // Nobody wants the prepared one. `isMade`: the runner said that it follows.
    void dismiss(bool isMade);
    // Never fails: what could not be kept is said in it.
    std::shared_ptr<const Snapshot> take();
    // The interpreter was killed before the last one could be taken: what was to be kept is gone.
    [[nodiscard]] bool cameTooLate() const { return m_cameTooLate; }

    // What of the session is in its sandbox: after a loss that was not made good yet it is not all.
    enum class Here { All, Files, Nothing };
    // The sandbox is about to end, and another one is to stand where this does, edits by hand and all. Where
    // nothing is here, what was set aside before still is. False: it could not be written out, and the
    // sandbox goes on as it was.
    [[nodiscard]] bool setAside(Millis patience, Here here);
    // The sandbox has ended.
    void letGo();
    [[nodiscard]] bool hasAside() const { return m_aside.has_value(); }
    // What was set aside is what the stand asks for.
    [[nodiscard]] bool wantsAside(const Stand& stand) const;
    // Once. Errc::NotFound where nothing was set aside.
    Result<Restored> comeBackFromAside(bool filesToo);

    // The session is about to end: writes out what sleeps, newest first. False: there was no time for all.
    bool storeAll(Millis patience);
    // The same of the newest alone, which sleeps on.
    void storeNewest(Millis patience) { m_copies.storeNewest(patience); }

private:
    Result<Restored> bringTo(const std::shared_ptr<const Snapshot>& snapshot, Stand::Source source,
                             bool filesToo = true);
    Result<void> bringNames(const Snapshot& snapshot, Stand::Source source, Restored& restored);
    Result<Restored> startFresh();
    Result<bool> wake(const Snapshot& snapshot, Restored& restored);
    void takeCopy(Snapshot& snapshot, Result<RunnerLink::Exchange>& asked,
                  const std::optional<MemoryUse>& beside);
    [[nodiscard]] Value plainNames(const Value& told);
    void takeFiles(Snapshot& snapshot);
    [[nodiscard]] std::shared_ptr<const Snapshot> filesNow(); // with the names of where it stood
    // All that would be read back of it, outside of the sandbox.
    [[nodiscard]] bool isWrittenOut(const Snapshot& snapshot) const;
    [[nodiscard]] bool isAsleep(const SnapshotId& id) const;
    [[nodiscard]] bool isJustThere(const Stand& stand) const;
    [[nodiscard]] bool isEditedByHand() const; // since it came to stand where it does
    [[nodiscard]] Value writtenOut(const Snapshot& snapshot); // its names; null: there are none
    [[nodiscard]] std::optional<MemoryUse> measured(const Value& told,
                                                    const std::optional<MemoryUse>& beside);
    [[nodiscard]] std::optional<MemoryUse> sampledMemory();
    Result<void> openBlobs();
    Result<void> openFiles(); // m_files, and what it needs

    const std::filesystem::path m_folder;
    const Clock& m_clock;
    const SnapshotLimits m_limits;
    SnapshotRoom* const m_room;
    const bool m_isKept;
    std::optional<artifacts::BlobStore> m_blobs; // opened at the first use
    std::shared_ptr<LiveSandbox> m_live;
    std::unique_ptr<SnapshotFiles> m_files; // of m_live
    SnapshotId m_at; // empty: at none
    std::shared_ptr<const Snapshot> m_last; // where it was at last
    bool m_changed = false; // since then
    bool m_edited = false; // since then, by hand
    bool m_pristine = true; // nothing has run in this sandbox
    RunnerLink::Touches m_touches; // of m_live, as it came to stand there
    bool m_cameTooLate = false;
    bool m_runnerTellsMemory = false;
    int m_sinceMeasure = 0; // copies made, where measuring is dear
    struct Prepared {
        SnapshotId id;
        RunnerLink::Exchange answer;
    };
    std::optional<Prepared> m_prepared; // of m_live
    struct Aside {
        std::shared_ptr<const Snapshot> snapshot;
        SnapshotId at; // these as they were
        std::shared_ptr<const Snapshot> last;
        bool changed = false;
        bool edited = false;
        bool pristine = false;
    };
    std::optional<Aside> m_aside;
    LiveCopies m_copies; // has its own lock
};

} // namespace sg::sessions
