#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"
#include "core/rewind/snapshots.h"
#include "core/sessions/runner/introspection.h"

#include <optional>
#include <string>
#include <vector>

namespace sg::sessions {
class SessionManager;
}

namespace sg::rewind {

// These are changes since the checkpoint before.
enum class KeptChange { Unknown, Same, Added, Changed, Removed };

struct KeptVariable {
    sessions::Variable shown;
    std::string missing; // not empty: why it was not kept
    KeptChange change = KeptChange::Unknown;
};

struct KeptPath {
    std::string path; // relative to /session, in the system's own bytes
    sessions::FileEntry entry;
    KeptChange change = KeptChange::Unknown;
};

// A thread's session at a checkpoint, with what the superstep before it changed.
struct KeptWorld {
    SnapshotMark mark;
    bool isAsleep = false; // its interpreter can be woken, so it can be restored exactly
    std::vector<KeptVariable> variables; // by name
    std::int64_t names = 0; // how many it had; `variables` may hold only the first ones
    std::string variablesProblem; // why they are unknown; empty: they are known
    std::vector<KeptPath> files; // by path
    std::string filesProblem;
    std::vector<sessions::SessionPart> parts; // all sessions that the checkpoint knows
};

// Reads the stored snapshot and asks the interpreter's copy if that still sleeps, which may take seconds.
// nullopt: no session belongs to the checkpoint. `part` selects the session as in Snapshots::at(); if the
// checkpoint has none for it, the thread's own is taken, or the first that was used. Any thread.
Result<std::optional<KeptWorld>> keptWorld(sessions::SessionManager& sessions, Snapshots& snapshots,
                                           const checkpoint::CheckpointRef& at,
                                           const std::optional<checkpoint::CheckpointRef>& before,
                                           const std::optional<std::string>& part = {});

} // namespace sg::rewind
