#include "app/cli/commands/commands.h"
#include "app/cli/stored_state.h"
#include "core/workbench/documents.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace sg::cli {
namespace {

int state(const StateOption& option, const Output& out)
{
    auto at = option.address();
    if (!at)
        return out.fail(at.error());
    auto snapshot = readState(option.place, *at);
    if (!snapshot)
        return out.fail(snapshot.error());
    out.document(workbench::stateDocument(*snapshot)); // the same for people: JSON is what they would type
    return Done;
}

} // namespace

void addState(CLI::App& app, Shell& shell)
{
    const auto option = std::make_shared<StateOption>();
    CLI::App* verb = app.add_subcommand("state", "print a thread's state");
    option->addThread(*verb);
    option->addCheckpoint(*verb, "as it was there (default: now)");
    verb->add_option("--graph", option->place.graph, "graph file, for exact next and tasks");
    verb->callback([option, &shell] { shell.exit = state(*option, shell.out); });
}

} // namespace sg::cli
