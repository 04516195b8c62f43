#pragma once

#include "core/sandbox/sandbox.h"

namespace sg::sandbox {

// What every backend needs of a spec: the runner, the session's folder and the mounts are there, the limits
// make sense.
Result<void> checkSpec(const SandboxSpec& spec);

} // namespace sg::sandbox
