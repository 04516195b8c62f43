#pragma once

#include "app/cli/options.h"
#include "core/base/result.h"
#include "core/workbench/workbench.h"

#include <string>

namespace sg::cli {

// What run, resume and replay let one choose about a run.
struct RunChoices {
    std::string stream;
    std::string checkpoint;
    int recursionLimit = 0;
    std::string durability;
    std::string sandbox;
    std::string config;
    std::string context;

    void add(Verb verb); // all but --checkpoint, whose meaning is the verb's own
    // Errc::NotFound where the thread of the request has no checkpoint of that id.
    Result<void> apply(workbench::Workbench& project, runs::RunRequest& request) const;

private:
    Result<void> applyTold(runs::RunRequest& request) const;
};

// --sandbox: what is done with the thread's sandbox before it goes on.
void addSandboxChoice(Verb verb, std::string& choice);

} // namespace sg::cli
