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

// Against the checkpoint before.
enum class KeptChange { Unknown, Same, Added, Changed, Removed };

struct KeptVariable {
    sessions::Variable shown;
    std::string missing; // not empty: why it was not kept
    KeptChange change = KeptChange::Unknown;
};

struct KeptPath {
    std::string path; // beneath /session; bytes as the system has them
    sessions::FileEntry entry;
    KeptChange change = KeptChange::Unknown;
};

// The session of a thread as it was at a checkpoint, with what the superstep before it had changed.
struct KeptWorld {
    SnapshotMark mark;
    bool isAsleep = false; // its interpreter can be woken: exact
    std::vector<KeptVariable> variables; // by name
    std::int64_t names = 0; // that it had; more than are among the variables, where there are very many
    std::string variablesProblem; // why they are not known; empty: they are
    std::vector<KeptPath> files; // by path
    std::string filesProblem;
    std::vector<sessions::SessionPart> parts; // all sessions that the checkpoint knows
};

// Reads what is stored, and asks the copy of an interpreter that still sleeps: takes seconds where that is
// slow to describe its names. nullopt: no session belongs to the checkpoint. `part`: whose session, as in
// Snapshots::at(); where that one has none there, the thread's own, or the first that was used. Any thread.
Result<std::optional<KeptWorld>> keptWorld(sessions::SessionManager& sessions, Snapshots& snapshots,
                                           const checkpoint::CheckpointRef& at,
                                           const std::optional<checkpoint::CheckpointRef>& before,
                                           const std::optional<std::string>& part = {});

} // namespace sg::rewind
