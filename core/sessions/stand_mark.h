#pragma once

#include "core/base/ids.h"
#include "core/sessions/snapshot.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace sg::sessions {

// StandMark says where a session stands, for the program that takes it up next: at a snapshot or at its
// beginning, and what has happened since.
struct StandMark {
    std::string incarnation; // of the runner that it holds for: another one's session stands elsewhere
    SnapshotId at; // empty: at none
    bool isChanged = false; // by a node since, or something of it was lost
    bool isEdited = false; // by hand since
    bool isPristine = false; // no node has run in it
    friend bool operator==(const StandMark&, const StandMark&) = default;
};

// Where a session's marks are kept. The functions may be empty: then a session that is found stands nowhere.
struct StandMarks {
    std::function<std::optional<StandMark>()> read{};
    std::function<void(const StandMark&)> write{};
    std::function<std::shared_ptr<const Snapshot>()> newest{}; // the newest snapshot of the session's thread
};

} // namespace sg::sessions
