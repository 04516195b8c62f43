#pragma once

#include "core/base/ids.h"
#include "core/base/snapshot_id.h"
#include "core/base/value.h"
#include "core/sessions/session_part.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

// The settings and callbacks with which sessions keep snapshots.
namespace sg::sessions {

struct Snapshot;

struct SnapshotLimits {
    int live = 32; // copies of the interpreter that sleep at a time
    std::int64_t memoryBytes = 0; // used by the session, beyond which copies leave; 0: 3/4 of its limit
    std::int64_t fileBytes = 512LL << 20; // of one snapshot's files
    std::int64_t projectBytes = 0; // of all snapshots of the project; 0: no limit
    std::int64_t aheadBytes = 256LL << 20; // of a copy's names that are written out while it sleeps; 0: none
    friend bool operator==(const SnapshotLimits&, const SnapshotLimits&) = default;
};

// Told that the names of a live snapshot were written out; null: it no longer lives, and they were not.
// False: it belongs to no checkpoint yet, so this is called again later. Any thread.
using SnapshotStored = std::function<bool(const SnapshotId&, const Value& names)>;

// Returns the snapshot at the thread's newest checkpoint, of the session with that part; null: there is none.
// Any thread.
using SnapshotOfThread =
    std::function<std::shared_ptr<const Snapshot>(const ThreadId& thread, const SessionPart& part)>;

} // namespace sg::sessions
