#pragma once

#include "core/sandbox/sandbox.h"

#include <chrono>
#include <memory>

namespace sg::sessions {

// Wraps a backend so that a successful probe counts for a while (a probe starts a sandbox, or asks an engine
// several things). Where a start fails because the backend cannot be used, a new probe decides: its error
// says what to install; where it succeeds (the engine was restarted) the start is tried once more.
std::unique_ptr<sandbox::SandboxBackend> rememberProbe(std::unique_ptr<sandbox::SandboxBackend> backend,
                                                       std::chrono::milliseconds validity);

} // namespace sg::sessions
