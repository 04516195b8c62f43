#pragma once

#include "app/cli/verb_info.h"

#include <optional>
#include <string>

namespace sg::cli {

// A script that completes the program's verbs, options and their values in "bash", "zsh" or "fish"; nullopt
// for another shell.
std::optional<std::string> completionScript(const VerbInfo& program, const std::string& shell);

} // namespace sg::cli
