#pragma once

#include "app/cli/commands/commands.h"

#include <string>

namespace sg::cli {

// Adds help, completions and manual. All other verbs must be in `line` when one of them runs; `version` and
// `footer` are the program's.
void addHelp(CommandLine& line, const std::string& version, const std::string& footer, Shell& shell);

} // namespace sg::cli
