#pragma once

#include "core/artifacts/blob_store.h"
#include "core/base/snapshot_id.h"
#include "core/base/value.h"
#include "core/sessions/snapshots/snapshot_limits.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace sg::sessions {

class LiveSandbox;
class SnapshotRoom;

// The measured memory of a whole session.
struct MemoryUse {
    std::int64_t used = 0;
    std::int64_t limit = 0;
};

// LiveCopies tracks the sleeping copies of a sandbox's interpreter, oldest first. Copies over the limits
// leave: a thread of this object writes them out, while code goes on, and then ends them. The newest is
// written out too while it sleeps, so that its names outlive the sandbox: half a second after it was made, at
// the latest 5 s after the first one that was not, and so seldom that it takes a tenth of the time. Any
// thread.
class LiveCopies {
public:
    using Live = std::shared_ptr<LiveSandbox>;

    // `room` outlives this; null: no cap.
    LiveCopies(std::filesystem::path blobs, const SnapshotLimits& limits, SnapshotRoom* room,
               SnapshotStored stored);
    ~LiveCopies(); // copies not yet written out are lost
    LiveCopies(const LiveCopies&) = delete;
    LiveCopies& operator=(const LiveCopies&) = delete;

    // Changes to another sandbox, with copies that sleep there already.
    void use(Live live, std::vector<SnapshotId> asleep);
    // Waits where copies are made faster than they are written out. `names`: names that were written out as
    // the copy was made, and are stored with the snapshot; null: the copy will be asked.
    void add(const SnapshotId& copy, const Value& names);
    // The copy is about to be woken: it stays, as the newest, even if it was about to leave. If it is already
    // being written out to end, this returns when it is gone and its names are known.
    void keep(const SnapshotId& copy);
    // Waits while that copy is being written out to end.
    void awaitEnd(const SnapshotId& copy) const;
    void forget(const SnapshotId& copy);
    void makeRoom(const MemoryUse& memory);
    [[nodiscard]] std::vector<SnapshotId> asleep() const;
    // Names that were recently written out of a copy; null: none.
    [[nodiscard]] Value namesOf(const SnapshotId& copy) const;
    // Writes out all copies, newest first, and forgets them. False: there was no time to try all.
    bool storeAll(std::chrono::milliseconds patience);
    // Writes the newest out, if it is not, and waits for it; it sleeps on.
    void storeNewest(std::chrono::milliseconds patience);

private:
    using Time = std::chrono::steady_clock::time_point;
    enum class Occasion {
        Ahead, // the copy sleeps on
        AtTheEnd, // of the session, or of this program
        Leaving, // the copy ends afterwards
    };
    enum class Wrote { Kept, NotYet, Failed };
    struct Named {
        Value names;
        bool isKept = false;
    };

    // Called with the mutex held:
    void evictOldest();
    void planAhead(const SnapshotId& copy);
    void remember(const SnapshotId& copy, Named named);
    [[nodiscard]] bool isWrittenOut(const SnapshotId& copy) const; // all of it
    void wakeWriter();
    void run(const std::stop_token& stop);
    void letOneLeave(std::unique_lock<std::mutex>& lock);
    void writeAhead(std::unique_lock<std::mutex>& lock);
    [[nodiscard]] Time dueAhead() const;
    Wrote store(const Live& live, const SnapshotId& copy, Occasion occasion);
    Wrote tell(const SnapshotId& copy, const Value& names);
    void tellGone(const SnapshotId& copy);
    [[nodiscard]] static bool hasCalm(const Live& live);
    static void drop(const Live& live, const std::vector<SnapshotId>& copies);

    // Constant after construction:
    const std::filesystem::path m_folder;
    const SnapshotLimits m_limits;
    SnapshotRoom* const m_room;
    const SnapshotStored m_stored;

    mutable std::mutex m_mutex;
    mutable std::condition_variable_any m_changed;
    // Guarded by m_mutex:
    Live m_live;
    std::deque<SnapshotId> m_copies; // copies that stay
    std::deque<SnapshotId> m_leaving;
    SnapshotId m_ending; // the first of m_leaving, once it is being written out or dropped
    std::map<SnapshotId, Named> m_names;
    std::deque<SnapshotId> m_named; // keys of m_names, oldest first
    SnapshotId m_ahead; // to be written out while it sleeps; empty: none
    Time m_aheadSince{}; // when the first copy was made that is not written out
    Time m_aheadMade{}; // when the newest was made
    Time m_aheadPause{}; // nothing is written ahead until then
    bool m_isUrgent = false;
    bool m_isWritingAhead = false;
    std::jthread m_writer; // last member: it uses the others
};

} // namespace sg::sessions
