#include "app/cli/commands/commands.h"
#include "app/cli/project_option.h"
#include "core/base/json.h"
#include "core/workbench/documents.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace sg::cli {
namespace {

struct Arguments {
    PlaceOption place;
    std::string thread;
    std::string checkpoint;
};

// With the graph at hand next and tasks are exact; a database alone tells what its channels' names carry.
Result<engine::StateSnapshot> readState(const Arguments& arguments, const engine::StateAddress& at)
{
    auto database = arguments.place.openDatabase();
    if (!database)
        return std::move(database.error());
    auto inert = (*database)->history().state(at.thread, "", at.checkpoint);
    if (!inert || (arguments.place.graph.empty() && !arguments.place.database.empty()))
        return inert;
    auto paths = arguments.place.locate();
    if (!paths)
        return inert;
    // Without --graph, that of the thread's newest run: a folder may hold several.
    if (arguments.place.graph.empty()) {
        const auto runs = (*database)->log().runs(at.thread);
        paths->graph = runs && !runs->empty() ? workbench::graphOfRun(*paths, runs->front().graph) : "";
    }
    if (paths->graph.empty())
        return inert;
    workbench::WorkbenchOptions options;
    paths->checkpoints = (*database)->file();
    options.project = std::move(*paths);
    options.readOnly = true;
    auto project = workbench::Workbench::open(std::move(options));
    if (!project)
        return inert;
    auto exact = (*project)->state(at);
    return exact ? std::move(exact) : std::move(inert);
}

int state(const Arguments& arguments, const Output& out)
{
    auto thread = threadArgument(arguments.thread);
    if (!thread)
        return out.fail(thread.error());
    engine::StateAddress at;
    at.thread = std::move(*thread);
    if (!arguments.checkpoint.empty())
        at.checkpoint = CheckpointId(arguments.checkpoint);
    auto snapshot = readState(arguments, at);
    if (!snapshot)
        return out.fail(snapshot.error());
    out.document(workbench::stateDocument(*snapshot)); // the same for people: JSON is what they would type
    return Done;
}

} // namespace

void addState(CLI::App& app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    CLI::App* verb = app.add_subcommand("state", "print a thread's state");
    verb->add_option("--thread", arguments->thread, "thread")->required();
    verb->add_option("--checkpoint", arguments->checkpoint, "as it was there (default: now)");
    verb->add_option("--graph", arguments->place.graph, "graph file, for exact next and tasks");
    arguments->place.add(*verb);
    verb->callback([arguments, &shell] { shell.exit = state(*arguments, shell.out); });
}

} // namespace sg::cli
