#pragma once

#include "app/cli/commands/commands.h"

namespace sg::cli {

// Adds "scale" beneath "pool": starts and ends workers of this machine as their role needs them.
void addPoolScale(Verb pool, Shell& shell);

} // namespace sg::cli
