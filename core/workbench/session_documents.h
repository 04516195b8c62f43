#pragma once

#include "core/base/ids.h"
#include "core/base/value.h"

namespace sg::workbench {

class Workbench;

// What is kept of a thread's sessions (whose they were, what happened to them, their samples) as a list of
// maps, and such a list as sessions that have ended. A session that is known already stays as it is.
Value sessionsOf(Workbench& workbench, const ThreadId& thread);
void keepSessions(Workbench& workbench, const ThreadId& thread, const Value& sessions);

} // namespace sg::workbench
