#pragma once

#include "app/cli/commands/commands.h"
#include "app/cli/project_option.h"
#include "app/cli/shell_word.h"
#include "core/runs/runs.h"

#include <string>
#include <vector>

namespace sg::cli {

// Refuses a graph with errors, naming them all. Starts a run and shows its progress (for people a line for
// each task, and the nodes' output on stderr; with --json and a stream, a line for each chunk), waits for it
// and prints its end. Ctrl+C stops the run; what its tasks finished is stored. Returns the exit code.
// `warnings`: {node, step, text} of what was told before it began; they come first in its document. `note`:
// printed as it begins, so not where it is refused; may be empty.
int runInConsole(workbench::Workbench& project, const runs::RunRequest& request, const RunOption& place,
                 const Output& out, ValueList warnings = {}, const std::string& note = {});

// Returns what to tell where a new input drops what the thread has still to do, with how to go on instead;
// else empty.
std::string whatIsDropped(workbench::Workbench& project, const runs::RunRequest& request,
                          const RunOption& place);
// Refuses a run that was given nothing though the graph has an example of what it wants: with the command
// that gives it. Done where nothing is missing.
int refuseMissingInput(const workbench::Workbench& project, const RunOption& place, const Output& out);
// Prints what going on means where the branch after these nodes failed, and how to run them again; returns
// it.
std::string noteFailedBranches(const std::vector<NodeId>& nodes, const RunOption& place, const Output& out);
// The command to type next, with all options of the place that were given.
std::string resumeCommand(const RunOption& place);
// The command that runs a graph on its example of an input, where it has one.
std::string exampleCommand(const graph::Graph& graph, const std::string& place, const std::string& thread);
// Prints all errors of the project's graph; Done where there are none.
int refuseBrokenGraph(const workbench::Workbench& project, runs::Check check, const Output& out);

} // namespace sg::cli
