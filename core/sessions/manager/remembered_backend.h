#pragma once

#include "core/sandbox/sandbox.h"

#include <chrono>
#include <memory>

namespace sg::sessions {

// A backend whose probe, which starts a sandbox or asks an engine several things, counts for a while once it
// has succeeded. A start that fails because the backend cannot be used is judged by a new probe: its error is
// the one that says what to install, and where it succeeds (an engine was restarted) the start is tried once
// more.
std::unique_ptr<sandbox::SandboxBackend> rememberProbe(std::unique_ptr<sandbox::SandboxBackend> backend,
                                                       std::chrono::milliseconds validity);

} // namespace sg::sessions
