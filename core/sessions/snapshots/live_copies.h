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

// Memory of a whole session as it was measured.
struct MemoryUse {
    std::int64_t used = 0;
    std::int64_t limit = 0;
};

// Which copies of a sandbox's interpreter sleep, oldest first. Those over the limits make room: they are
// written out by a thread of this object's own, while code goes on, and then end. The newest is written out
// as well while it sleeps, so that its names outlive the sandbox: half a second after it was made, at the
// latest 5 s after the first that was not, and so seldom that it takes a tenth of the time. Any thread.
class LiveCopies {
public:
    using Live = std::shared_ptr<LiveSandbox>;

    // `room` outlives this; null: there is enough.
    LiveCopies(std::filesystem::path blobs, const SnapshotLimits& limits, SnapshotRoom* room,
               SnapshotStored stored);
    ~LiveCopies(); // what waits to be written out is given up
    LiveCopies(const LiveCopies&) = delete;
    LiveCopies& operator=(const LiveCopies&) = delete;

    // Another sandbox, and what sleeps there already.
    void use(Live live, std::vector<SnapshotId> asleep);
    // Waits where copies are made faster than they are written out. `names`: where they were written out as
    // it was made, and are stored with the snapshot; null: the copy is going to be asked.
    void add(const SnapshotId& copy, const Value& names);
    // It is about to be woken: it stays, as the newest, also where it was about to leave. One that is already
    // being written out as it ends is gone, and its names are known, when this returns.
    void keep(const SnapshotId& copy);
    // Returns when that copy is not at the moment being written out as it ends.
    void awaitEnd(const SnapshotId& copy) const;
    void forget(const SnapshotId& copy);
    void makeRoom(const MemoryUse& memory);
    [[nodiscard]] std::vector<SnapshotId> asleep() const;
    // What was written out of a copy lately; null: nothing.
    [[nodiscard]] Value namesOf(const SnapshotId& copy) const;
    // Writes out what sleeps, newest first; none is left then. False: there was no time to try all.
    bool storeAll(std::chrono::milliseconds patience);
    // Writes out the newest if it is not, and waits for it; it sleeps on.
    void storeNewest(std::chrono::milliseconds patience);

private:
    using Time = std::chrono::steady_clock::time_point;
    enum class Occasion {
        Ahead, // it sleeps on
        AtTheEnd, // of the session, or of this program
        Leaving, // it ends with that
    };
    enum class Wrote { Kept, NotYet, Failed };
    struct Named {
        Value names;
        bool isKept = false;
    };

    // With the mutex:
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
    std::deque<SnapshotId> m_copies; // that stay
    std::deque<SnapshotId> m_leaving;
    SnapshotId m_ending; // the first of m_leaving, once it is being written out or dropped
    std::map<SnapshotId, Named> m_names;
    std::deque<SnapshotId> m_named; // m_names in the order they came
    SnapshotId m_ahead; // to be written out while it sleeps; empty: none
    Time m_aheadSince{}; // the first that was not
    Time m_aheadMade{}; // the newest
    Time m_aheadPause{}; // until then
    bool m_isUrgent = false;
    bool m_isWritingAhead = false;
    std::jthread m_writer; // last: it uses the others
};

} // namespace sg::sessions
