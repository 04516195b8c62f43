#pragma once

#include "core/artifacts/blob_store.h"
#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/sessions/runner/runner_link.h"
#include "core/sessions/session_world.h"
#include "core/sessions/snapshot.h"
#include "core/sessions/snapshots/live_copies.h"
#include "core/sessions/snapshots/snapshot_files.h"
#include "core/sessions/stand_mark.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sg::sessions {

class SnapshotRoom;

// SessionRewind takes snapshots of a session and brings it back to them. It knows where the session stands:
// at a snapshot, or somewhere after it. Belongs to the holder of the session's line.
class SessionRewind {
public:
    // `blobs`: the folder of file contents; empty: no snapshots are taken. `room` outlives this; null: no
    // cap. `isKept`: the session's folder lies on the host, together with files that this program writes
    // there. `marks`: where it is kept for later programs how the session stands.
    SessionRewind(std::filesystem::path blobs, const Clock& clock, SnapshotLimits limits, SnapshotRoom* room,
                  SnapshotStored stored, bool isKept = false, StandMarks marks = {});
    ~SessionRewind();

    [[nodiscard]] bool isOn() const { return !m_folder.empty(); }

    // Must be called first with a sandbox. A session in another sandbox than before stands nowhere, unless an
    // earlier program has kept where it stands.
    void use(const std::shared_ptr<LiveSandbox>& live);

    // Code runs, or something changed by itself. `byHand`: a person's cell, not a call of a graph's node.
    void changes(bool byHand);

    // Brings the session to where it must stand. Errc::Conflict where the stand's source forbids the way
    // there is; Unavailable where the sandbox ended.
    Result<Restored> bring(const Stand& stand);
    [[nodiscard]] bool standsNowhere() const { return m_at.empty(); }
    // The snapshot where it stood last, also in an earlier sandbox; null: none.
    [[nodiscard]] const std::shared_ptr<const Snapshot>& stoodAt() const { return m_last; }
    // Brings back names that were lost, where nobody says where the session must stand; `filesToo`: the files
    // were lost as well. Files that are there keep their edits by hand.
    Result<Restored> comeBack(const std::shared_ptr<const Snapshot>& snapshot, bool filesToo);
    [[nodiscard]] std::vector<SnapshotId> asleep() const { return m_copies.asleep(); }
    // Called now and then while code runs: sleeping copies end before the session's memory is used up.
    void watchMemory();

    // Adds to a call that the interpreter shall copy itself right after it, if it ends well or if `always`.
    // take() then finds that done or under way. Either take() or dismiss() must follow.
    void prepare(ValueMap& call, bool always);
    // Drops the prepared copy. `isMade`: the runner said that it is being made.
    void dismiss(bool isMade);
    // Never fails: the snapshot lists what could not be kept.
    std::shared_ptr<const Snapshot> take();
    // The interpreter was killed before the last snapshot could be taken, so its names are gone.
    [[nodiscard]] bool cameTooLate() const { return m_cameTooLate; }
    // Returns what the user must hear of the snapshots since the last call; empty: nothing.
    [[nodiscard]] std::string takeWarning() { return std::exchange(m_warning, {}); }
    // Keeps for later programs how the session stands. `isLost`: something of it is gone.
    void keepMark(bool isLost);

    // The name of a copy that sleeps, off which calls branch that run beside each other: that of `base`, or
    // one of the interpreter as it is. Empty: there can be none, `why` says the reason.
    std::string sleeperFor(const Snapshot& base, std::string& why);
    // Paths that there were none of at `base` and that are there now.
    [[nodiscard]] std::vector<std::string> madeSince(const Snapshot& base) const;
    // The snapshot where the session stands, if nothing has changed since; else null.
    [[nodiscard]] std::shared_ptr<const Snapshot> unchanged() const;

    // The part of the session that is in its sandbox: less than all after a loss that was not made good yet.
    enum class Here { All, Files, Nothing };
    // Prepares for the end of the sandbox: another one is to stand where this does, edits by hand included.
    // With Here::Nothing, what was set aside earlier stays so. False: it could not be written out, and the
    // sandbox goes on as it was.
    [[nodiscard]] bool setAside(Millis patience, Here here);
    // The sandbox has ended.
    void letGo();
    [[nodiscard]] bool hasAside() const { return m_aside.has_value(); }
    // True where the stand asks for what was set aside.
    [[nodiscard]] bool wantsAside(const Stand& stand) const;
    // Works once. Errc::NotFound where nothing was set aside.
    Result<Restored> comeBackFromAside(bool filesToo);

    // Before the session ends: writes sleeping copies out, newest first. False: there was not enough time.
    bool storeAll(Millis patience);
    // Writes out the newest alone, which sleeps on.
    void storeNewest(Millis patience) { m_copies.storeNewest(patience); }

private:
    Result<Restored> bringTo(const std::shared_ptr<const Snapshot>& snapshot, Stand::Source source,
                             bool filesToo = true);
    Result<void> bringNames(const Snapshot& snapshot, Stand::Source source, Restored& restored);
    Result<Restored> startFresh();
    void readMark();
    Result<bool> wake(const Snapshot& snapshot, Restored& restored);
    void takeCopy(Snapshot& snapshot, Result<RunnerLink::Exchange>& asked,
                  const std::optional<MemoryUse>& beside);
    void dropSleeper();
    [[nodiscard]] Value plainNames(const Value& told);
    void takeFiles(Snapshot& snapshot);
    [[nodiscard]] std::shared_ptr<const Snapshot> filesNow(); // with the names of the snapshot where it stood
    // True where all that a restore needs is stored outside of the sandbox.
    [[nodiscard]] bool isWrittenOut(const Snapshot& snapshot) const;
    [[nodiscard]] bool isAsleep(const SnapshotId& id) const;
    [[nodiscard]] bool isJustThere(const Stand& stand) const;
    [[nodiscard]] Restored asItIs(const Stand& stand) const;
    Result<Restored> tellingOfEdits(const Stand& stand, const std::function<Result<Restored>()>& way);
    [[nodiscard]] bool isEditedByHand() const; // since it came to where it stands
    [[nodiscard]] Value writtenOut(const Snapshot& snapshot); // its names; null: there are none
    [[nodiscard]] std::optional<MemoryUse> measured(const Value& told,
                                                    const std::optional<MemoryUse>& beside);
    [[nodiscard]] std::optional<MemoryUse> sampledMemory();
    Result<void> openBlobs();
    Result<void> openFiles(); // opens m_files and what it needs

    const std::filesystem::path m_folder;
    const Clock& m_clock;
    const SnapshotLimits m_limits;
    SnapshotRoom* const m_room;
    const bool m_isKept;
    const StandMarks m_marks;
    std::optional<artifacts::BlobStore> m_blobs; // opened at the first use
    std::shared_ptr<LiveSandbox> m_live;
    std::unique_ptr<SnapshotFiles> m_files; // of m_live
    SnapshotId m_at; // empty: at none
    std::shared_ptr<const Snapshot> m_last; // where it was at last
    bool m_changed = false; // since it stood at m_last
    bool m_edited = false; // since then, by hand
    bool m_pristine = true; // nothing has run in this sandbox
    RunnerLink::Touches m_touches; // of m_live, when it came to where it stands
    bool m_cameTooLate = false;
    bool m_saidUnkept = false; // of m_live
    std::string m_warning;
    std::optional<StandMark> m_kept; // the mark as it was last written or read
    bool m_runnerTellsMemory = false;
    int m_sinceMeasure = 0; // copies made since memory was measured the slow way
    struct Prepared {
        SnapshotId id;
        RunnerLink::Exchange answer;
    };
    std::optional<Prepared> m_prepared; // of m_live
    struct Aside {
        std::shared_ptr<const Snapshot> snapshot;
        SnapshotId at; // this and the following as they were
        std::shared_ptr<const Snapshot> last;
        bool changed = false;
        bool edited = false;
        bool pristine = false;
    };
    std::optional<Aside> m_aside;
    std::string m_sleeper; // a copy that belongs to no snapshot, of the interpreter as it is; empty: none
    LiveCopies m_copies; // has its own lock
};

} // namespace sg::sessions
