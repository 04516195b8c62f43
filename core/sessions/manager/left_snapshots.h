#pragma once

#include "core/sessions/manager/session_care.h"

namespace sg::sessions {

// Writes out the copies that sleep in a sandbox that belongs to no program, before it is removed. Copies that
// cannot be written out in time are lost.
void storeLeftSnapshots(const FoundSession& found, const SessionManagerOptions& options,
                        SessionRecords* records);

} // namespace sg::sessions
