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

// Describes a session at one moment. Only its maker knows what `body` holds.
struct SnapshotRecord {
    SnapshotId id;
    ThreadId thread;
    Value body;
};

// Says which snapshot of a session belongs to a checkpoint, which has one for each session of its thread.
struct SnapshotBinding {
    CheckpointRef checkpoint;
    bool partial = false; // taken after the checkpoint, with what finished tasks of its superstep did
    SnapshotId snapshot; // empty: the session had not been used yet
    std::string part{}; // which session: "" the thread's own, "node NAME", or "run" for that of its run alone
};

// The SnapshotLog keeps snapshots in sandglass_ tables of the checkpoints' file. Any thread may use it; calls
// that write wait for the store's writer and take part in its together(). In a file without these tables
// reading finds nothing.
class SnapshotLog {
public:
    virtual ~SnapshotLog() = default;

    virtual Result<void>
    put(const SnapshotRecord& record) = 0; // replaces; outside together() it does not wait for the disk
    virtual Result<void> bind(const SnapshotBinding& binding) = 0; // replaces
    // Called when the next checkpoint is made: partial bindings of `startedFrom` are of no more use.
    virtual Result<void> dropPartial(const CheckpointRef& startedFrom) = 0;
    virtual Result<void> remove(const SnapshotId& id) = 0; // its bindings stay, but lead nowhere

    virtual Result<std::vector<SnapshotBinding>> bindingsAt(const CheckpointRef& ref, bool partial) = 0;
    virtual Result<std::optional<SnapshotRecord>> get(const SnapshotId& id) = 0;
    virtual Result<std::vector<SnapshotBinding>> bindingsOf(const ThreadId& thread) = 0; // oldest first
    virtual Result<std::vector<SnapshotRecord>> all() = 0; // oldest first
    virtual Result<std::vector<SnapshotId>> unbound() = 0; // those bound to no stored checkpoint

    // Records share pieces by name.
    virtual Result<void> putPiece(const std::string& name, std::string_view bytes) = 0; // once per name
    virtual Result<std::optional<std::string>> piece(const std::string& name) = 0;
    virtual Result<void> keepPieces(const std::function<bool(const std::string&)>& isUsed) = 0;
};

} // namespace sg::checkpoint
