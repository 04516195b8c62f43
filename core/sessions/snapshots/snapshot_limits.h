#pragma once

#include "core/base/ids.h"
#include "core/base/snapshot_id.h"
#include "core/base/value.h"
#include "core/sessions/session_part.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

// What sessions need of their owner to keep snapshots.
namespace sg::sessions {

struct Snapshot;

struct SnapshotLimits {
    int live = 32; // copies of the interpreter that sleep at a time
    std::int64_t memoryBytes = 0; // of the whole session, from which on they make room; 0: 3/4 of its limit
    std::int64_t fileBytes = 512LL << 20; // of one snapshot's files
    std::int64_t projectBytes = 0; // of all that the project keeps of snapshots; 0: no limit
    std::int64_t aheadBytes = 256LL << 20; // of a copy's names that are written out while it sleeps; 0: none
    friend bool operator==(const SnapshotLimits&, const SnapshotLimits&) = default;
};

// The names of a snapshot that was live were written out; null: it lives no more, and they were not. False:
// it belongs to no checkpoint yet, and is told again later. On any thread.
using SnapshotStored = std::function<bool(const SnapshotId&, const Value& names)>;

// Where a thread's session (by its part, as in SessionSpec) stands by the thread's newest checkpoint; null:
// nowhere. Any thread.
using SnapshotOfThread =
    std::function<std::shared_ptr<const Snapshot>(const ThreadId& thread, const SessionPart& part)>;

} // namespace sg::sessions
