#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/sessions/session_part.h"
#include "core/sessions/snapshot.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

// Snapshots of sessions as the checkpoint file keeps them.
namespace sg::rewind {

// In place of a partial snapshot where finished tasks left the sandbox in no state that was kept.
inline const SnapshotId kLostSnapshot("none");

// Of the snapshot that was kept last: one with the same files has the same list of them.
struct KeptFiles {
    std::shared_ptr<const sessions::FileMap> files;
    Value pieces;
};

// A snapshot as its log keeps it, and back. In the log's transaction where there is one. `last` may be null.
Result<void> keepSnapshot(checkpoint::SnapshotLog& log, const ThreadId& thread,
                          const sessions::Snapshot& snapshot, KeptFiles* last = nullptr);
// What was written out of a snapshot later on; null: it lives no more, and nothing was. False where the
// snapshot belongs to no checkpoint.
Result<bool> keepStoredNames(checkpoint::SnapshotLog& log, const SnapshotId& id, const Value& names);
// nullopt: there is none of that id.
Result<std::optional<sessions::Snapshot>> loadSnapshot(checkpoint::SnapshotLog& log, const SnapshotId& id);

// Where one session of a thread stood at a checkpoint.
struct PartSnapshot {
    sessions::SessionPart part;
    SnapshotId snapshot; // empty: it had not been used yet
    bool lacksFinished = false; // what finished tasks of the superstep did in it was not kept
};
// `withFinished`: with what finished tasks of the checkpoint's superstep did.
Result<std::vector<PartSnapshot>> snapshotsAt(checkpoint::SnapshotLog& log,
                                              const checkpoint::CheckpointRef& ref, bool withFinished);

// Where that session stands by the newest checkpoint of its thread. null: nowhere.
Result<std::shared_ptr<const sessions::Snapshot>>
newestSnapshot(checkpoint::CheckpointStore& store, const ThreadId& thread, const sessions::SessionPart& part);

} // namespace sg::rewind
