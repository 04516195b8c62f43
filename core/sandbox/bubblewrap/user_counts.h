#pragma once

#include <sys/types.h>

namespace sg::sandbox {

// A sandbox of an ordinary user shares that user's inotify instances and watches with its other programs, so
// the sandbox's own user namespace gets only few of them. Best effort. `inside`: process 1 of the sandbox.
void limitCountsOf(pid_t inside);

} // namespace sg::sandbox
