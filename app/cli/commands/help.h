#pragma once

#include "app/cli/commands/commands.h"

#include <string>

namespace sg::cli {

// help, completions and manual: what the program says of itself. `line` has all other verbs by the time that
// it runs; `version` and `footer` are those of the program.
void addHelp(CommandLine& line, const std::string& version, const std::string& footer, Shell& shell);

} // namespace sg::cli
