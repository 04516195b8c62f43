#pragma once

#include "app/cli/commands/commands.h"
#include "app/cli/project_option.h"
#include "core/workbench/runs.h"

#include <string>

namespace sg::cli {

// Refuses a graph with errors, naming them all. Starts a run, shows it as it goes (people: a line a task,
// output of nodes on stderr; --json with a stream: a line a chunk), waits for it, prints the end. Ctrl+C
// stops the run; what its tasks finished is stored. Returns the exit code.
int runInConsole(workbench::Workbench& project, workbench::RunRequest request, const RunOption& place,
                 const Output& out);

// A new input begins anew: says so where the thread still has something to do, and how to go on instead.
void noteWhatIsDropped(workbench::Workbench& project, const workbench::RunRequest& request,
                       const RunOption& place, const Output& out);
// Names all errors of the project's graph; Done where it has none.
int refuseBrokenGraph(const workbench::Workbench& project, workbench::Check check, const Output& out);

} // namespace sg::cli
