#include "app/cli/stored_state.h"

#include "core/history/database.h"
namespace sg::cli {

void StateOption::addThread(Verb verb)
{
    verb.option("--thread", thread, "thread").required();
    verb.option("--ns", ns, "of a subgraph: its checkpoint namespace, such as NODE:TASK");
    place.add(verb);
}

void StateOption::addCheckpoint(Verb verb, const std::string& help)
{
    verb.option("--checkpoint", checkpoint, help);
}

Result<engine::StateAddress> StateOption::address() const
{
    auto parsed = threadArgument(thread);
    if (!parsed)
        return std::move(parsed.error());
    engine::StateAddress at;
    at.thread = std::move(*parsed);
    at.ns = ns;
    if (!checkpoint.empty())
        at.checkpoint = CheckpointId(checkpoint);
    return at;
}

Result<engine::StateSnapshot> readState(const PlaceOption& place, const engine::StateAddress& at)
{
    auto database = place.openDatabase();
    if (!database)
        return std::move(database.error());
    auto inert = (*database)->history().state(at.thread, at.ns, at.checkpoint);
    if (!inert || (place.graph.empty() && !place.database.empty()))
        return inert;
    auto paths = place.locate();
    if (!paths)
        return inert;
    // Without --graph this is the graph of the thread's newest run, as a folder may hold several.
    if (place.graph.empty()) {
        const auto runs = (*database)->log().runs(at.thread);
        paths->graph = runs && !runs->empty() ? projects::graphOfRun(*paths, runs->front().graph) : "";
    }
    if (paths->graph.empty())
        return inert;
    workbench::WorkbenchOptions options;
    paths->checkpoints = (*database)->file();
    if (auto chosen = history::chooseDatabase(*paths, place.database); !chosen)
        return std::move(chosen.error());
    options.project = std::move(*paths);
    options.readOnly = true;
    auto project = workbench::Workbench::open(std::move(options));
    if (!project)
        return inert;
    auto exact = (*project)->states().state(at);
    return exact ? std::move(exact) : std::move(inert);
}

} // namespace sg::cli
