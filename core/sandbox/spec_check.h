#pragma once

#include "core/sandbox/sandbox.h"

namespace sg::sandbox {

// Checks what every backend needs: the runner, the session's folder and the mounts exist, and the limits make
// sense.
Result<void> checkSpec(const SandboxSpec& spec);

} // namespace sg::sandbox
