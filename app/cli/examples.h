#pragma once

#include "app/cli/options.h"

namespace sg::cli {

// Adds a complete command for each verb that can be called, to its help and its manual page.
void addExamples(CommandLine& line);

} // namespace sg::cli
