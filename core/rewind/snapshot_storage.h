#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/sessions/session_part.h"
#include "core/sessions/snapshot.h"
#include "core/sessions/snapshots/snapshot_limits.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

// These functions store snapshots of sessions in the checkpoint file and read them.
namespace sg::rewind {

// Marks a partial snapshot if finished tasks left the sandbox in a state that was not kept.
inline const SnapshotId kLostSnapshot("none");

// The file list of the snapshot stored last: a snapshot with the same files shares it.
struct KeptFiles {
    std::shared_ptr<const sessions::FileMap> files;
    Value pieces;
};

// Stores a snapshot in the log, in the log's transaction if there is one. `last` may be null.
Result<void> keepSnapshot(checkpoint::SnapshotLog& log, const ThreadId& thread,
                          const sessions::Snapshot& snapshot, KeptFiles* last = nullptr);
// Adds names that were stored after the snapshot; null: its sleeping copy ended before that. False: the
// snapshot belongs to no checkpoint.
Result<bool> keepStoredNames(checkpoint::SnapshotLog& log, const SnapshotId& id, const Value& names);
// Returns nullopt if there is no snapshot of that id.
Result<std::optional<sessions::Snapshot>> loadSnapshot(checkpoint::SnapshotLog& log, const SnapshotId& id);

// The snapshot of one session at a checkpoint.
struct PartSnapshot {
    sessions::SessionPart part;
    SnapshotId snapshot; // empty: it had not been used yet
    bool lacksFinished = false; // what finished tasks of the superstep did in it was not kept
};
// `withFinished` includes what finished tasks of the checkpoint's superstep did.
Result<std::vector<PartSnapshot>> snapshotsAt(checkpoint::SnapshotLog& log,
                                              const checkpoint::CheckpointRef& ref, bool withFinished);

// These are for a manager of sessions: what fails is logged. Log and store must outlive the functions.
sessions::SnapshotStored keeperOfStoredNames(checkpoint::SnapshotLog& log);
sessions::SnapshotOfThread newestSnapshots(checkpoint::CheckpointStore& store);

} // namespace sg::rewind
