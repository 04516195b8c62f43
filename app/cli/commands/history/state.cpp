#include "app/cli/commands/commands.h"
#include "app/cli/documents.h"
#include "app/cli/stored_state.h"

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
    out.document(stateDocument(*snapshot)); // also for people: it is the JSON that they would type
    return Done;
}

} // namespace

void addState(Verb app, Shell& shell)
{
    const auto option = std::make_shared<StateOption>();
    Verb verb = app.add("state", "print a thread's state");
    option->addThread(verb);
    option->addCheckpoint(verb, "as it was there (default: now)");
    verb.option("--graph", option->place.graph, "graph file, for exact next and tasks");
    verb.onRun([option, &shell] { shell.exit = state(*option, shell.out); });
}

} // namespace sg::cli
