#pragma once

#include "app/cli/commands/commands.h"
#include "app/cli/project_option.h"
#include "core/runs/runs.h"

#include <string>
#include <vector>

namespace sg::cli {

// Refuses a graph with errors, naming them all. Starts a run, shows it as it goes (people: a line a task,
// output of nodes on stderr; --json with a stream: a line a chunk), waits for it, prints the end. Ctrl+C
// stops the run; what its tasks finished is stored. Returns the exit code.
int runInConsole(workbench::Workbench& project, const runs::RunRequest& request, const RunOption& place,
                 const Output& out);

// A new input begins anew: says so where the thread still has something to do, and how to go on instead.
void noteWhatIsDropped(workbench::Workbench& project, const runs::RunRequest& request, const RunOption& place,
                       const Output& out);
// Says what going on means where the branch behind these nodes failed, and how they run again.
void noteFailedBranches(const std::vector<NodeId>& nodes, const RunOption& place, const Output& out);
// What to type next, as it was typed before.
std::string resumeCommand(const RunOption& place);
// One word of a shell's command line.
std::string shellWord(const std::string& word);
// Names all errors of the project's graph; Done where it has none.
int refuseBrokenGraph(const workbench::Workbench& project, runs::Check check, const Output& out);

} // namespace sg::cli
