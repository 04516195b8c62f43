#pragma once

#include "app/cli/commands/commands.h"

namespace sg::cli {

// Adds "dead", "requeue" and "discard" beneath "pool": tasks that were given up, and what becomes of them.
void addPoolDead(Verb pool, Shell& shell);

} // namespace sg::cli
