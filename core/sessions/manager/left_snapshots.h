#pragma once

#include "core/sessions/manager/session_care.h"

namespace sg::sessions {

// Writes out what sleeps in the sandbox of a session that no program has: it is about to be removed, and its
// snapshots with it. What cannot be written out in time is lost, as it would have been.
void storeLeftSnapshots(const FoundSession& found, const SessionManagerOptions& options,
                        SessionRecords* records);

} // namespace sg::sessions
