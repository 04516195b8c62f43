#pragma once

#include "app/cli/options.h"
#include "core/base/result.h"
#include "core/workbench/workbench.h"

#include <string>

namespace sg::cli {

// Options about a run that run, resume and replay share.
struct RunChoices {
    std::string stream;
    bool subgraphs = false;
    std::string checkpoint;
    int recursionLimit = 0;
    std::string durability;
    std::string sandbox;
    std::string config;
    std::string context;

    void add(Verb verb); // all except --checkpoint, whose meaning differs by verb
    // Errc::NotFound where the request's thread has no such checkpoint.
    Result<void> apply(workbench::Workbench& project, runs::RunRequest& request) const;

private:
    Result<void> applyTold(runs::RunRequest& request) const;
};

// Adds --sandbox: what happens to the thread's sandbox before it goes on.
void addSandboxChoice(Verb verb, std::string& choice);

} // namespace sg::cli
