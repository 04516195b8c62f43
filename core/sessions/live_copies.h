#pragma once

#include "core/artifacts/blob_store.h"
#include "core/base/snapshot_id.h"
#include "core/base/value.h"

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

struct SnapshotLimits {
    int live = 32; // copies of the interpreter that sleep at a time
    std::int64_t memoryBytes = 0; // of the whole session, from which on they make room; 0: 3/4 of its limit
    std::int64_t fileBytes = 512LL << 20; // of one snapshot's files
    std::int64_t projectBytes = 0; // of all that the project keeps of snapshots; 0: no limit
    friend bool operator==(const SnapshotLimits&, const SnapshotLimits&) = default;
};

// The names of a snapshot that was live were written out. On any thread.
using SnapshotStored = std::function<void(const SnapshotId&, const Value& names)>;

// Memory of a whole session as it was measured.
struct MemoryUse {
    std::int64_t used = 0;
    std::int64_t limit = 0;
};

// Which copies of a sandbox's interpreter sleep, oldest first. Those over the limits make room: they are
// written out by a thread of this object's own, while code goes on, and then end. Any thread.
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
    // Waits where copies are made faster than they are written out.
    void add(const SnapshotId& copy);
    // It is about to be woken: it stays, as the newest, also where it was about to leave.
    void keep(const SnapshotId& copy);
    void forget(const SnapshotId& copy);
    void makeRoom(const MemoryUse& memory);
    [[nodiscard]] std::vector<SnapshotId> asleep() const;
    // What was written out of a copy lately; null: nothing.
    [[nodiscard]] Value namesOf(const SnapshotId& copy) const;
    // Writes out what sleeps, newest first, as far as there is time; none is left then.
    void storeAll(std::chrono::milliseconds patience);

private:
    void evictOldest(std::unique_lock<std::mutex>& lock);
    void run(const std::stop_token& stop);
    bool store(const Live& live, const SnapshotId& copy);
    static void drop(const Live& live, const std::vector<SnapshotId>& copies);

    // Constant after construction:
    const std::filesystem::path m_folder;
    const SnapshotLimits m_limits;
    SnapshotRoom* const m_room;
    const SnapshotStored m_stored;

    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    // Guarded by m_mutex:
    Live m_live;
    std::deque<SnapshotId> m_copies; // that stay
    std::deque<SnapshotId> m_leaving; // the first is being written out
    std::map<SnapshotId, Value> m_names;
    std::deque<SnapshotId> m_named; // m_names in the order they came
    std::jthread m_writer; // last: it uses the others
};

} // namespace sg::sessions
