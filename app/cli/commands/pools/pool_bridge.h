#pragma once

#include "app/cli/commands/commands.h"

namespace sg::cli {

// Adds "bridge" beneath "pool": brings tasks of GenXAI's queues to roles.
void addPoolBridge(Verb pool, Shell& shell);

} // namespace sg::cli
