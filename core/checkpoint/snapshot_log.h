#pragma once

#include "core/base/result.h"
#include "core/base/snapshot_id.h"
#include "core/base/value.h"
#include "core/checkpoint/checkpoint.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::checkpoint {

// What a session was like at one moment; what `body` holds is its maker's affair.
struct SnapshotRecord {
    SnapshotId id;
    ThreadId thread;
    Value body;
};

// Which snapshot belongs to a checkpoint; one for each session of its thread.
struct SnapshotBinding {
    CheckpointRef checkpoint;
    bool partial = false; // not as the checkpoint began, but with what finished tasks of its superstep did
    SnapshotId snapshot; // empty: the session had not been used yet
    std::string part{}; // whose session: "" the thread's own, "node NAME", "run" (of its run alone)
};

// Snapshots beside the checkpoints, in sandglass_ tables of the same file. Any thread; calls that write wait
// for the store's writer and take part in its together(). In a file without these tables reading finds
// nothing.
class SnapshotLog {
public:
    virtual ~SnapshotLog() = default;

    virtual Result<void>
    put(const SnapshotRecord& record) = 0; // replaces; alone it does not wait for the disk
    virtual Result<void> bind(const SnapshotBinding& binding) = 0; // replaces
    // A whole checkpoint has been made of it: what was partial of `startedFrom` is of no use any more.
    virtual Result<void> dropPartial(const CheckpointRef& startedFrom) = 0;
    virtual Result<void> remove(const SnapshotId& id) = 0; // its bindings stay, and find nothing

    virtual Result<std::vector<SnapshotBinding>> bindingsAt(const CheckpointRef& ref, bool partial) = 0;
    virtual Result<std::optional<SnapshotRecord>> get(const SnapshotId& id) = 0;
    virtual Result<std::vector<SnapshotBinding>> bindingsOf(const ThreadId& thread) = 0; // oldest first
    virtual Result<std::vector<SnapshotRecord>> all() = 0; // oldest first
    virtual Result<std::vector<SnapshotId>> unbound() = 0; // that belong to no stored checkpoint

    // Pieces that records share, by name.
    virtual Result<void> putPiece(const std::string& name, std::string_view bytes) = 0; // once
    virtual Result<std::optional<std::string>> piece(const std::string& name) = 0;
    virtual Result<void> keepPieces(const std::function<bool(const std::string&)>& isUsed) = 0;
};

} // namespace sg::checkpoint
