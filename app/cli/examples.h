#pragma once

#include "app/cli/options.h"

namespace sg::cli {

// One whole command for each verb that can be called, below its help and on its manual page.
void addExamples(CommandLine& line);

} // namespace sg::cli
