#pragma once

#include <sys/types.h>

namespace sg::sandbox {

// Where a sandbox runs as an ordinary user, that user's inotify instances and watches are shared with all its
// programs: the sandbox's own user namespace gets few of them. Best effort. `inside`: process 1 of the
// sandbox.
void limitCountsOf(pid_t inside);

} // namespace sg::sandbox
