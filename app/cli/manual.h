#pragma once

#include "app/cli/verb_info.h"

#include <string>
#include <vector>

namespace sg::cli {

struct ManualPage {
    std::string file; // "sandglass-session-exec.1"
    std::string text; // in the man macros of troff
};

// One page for the program and one for each verb that can be called. `version`: "sandglass 0.1.0"; `footer`:
// the end of the program's help.
std::vector<ManualPage> manualPages(const VerbInfo& program, const std::string& version,
                                    const std::string& footer);

} // namespace sg::cli
