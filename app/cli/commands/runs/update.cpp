#include "app/cli/commands/commands.h"
#include "app/cli/documents.h"
#include "app/cli/run_choices.h"
#include "app/cli/run_console.h"
#include "app/cli/stored_state.h"

#include <filesystem>
#include <memory>
#include <system_error>

namespace sg::cli {
namespace {

struct Arguments {
    StateOption state;
    std::string asNode;
    std::string values;
    std::string sandbox;
    std::string rerun;
};

enum class Change { Update, Fork };

std::string nextText(const runs::StateChange& change)
{
    std::string text;
    for (const NodeId& node : change.next)
        text += (text.empty() ? "" : ", ") + node.value;
    return text.empty() ? "nothing" : text;
}

RunOption nextRun(const PlaceOption& place, const workbench::Workbench& project, const ThreadId& thread)
{
    std::error_code failed;
    RunOption next;
    next.graph = place.graph.empty() ? std::filesystem::proximate(project.project().graph, failed).string()
                                     : place.graph;
    next.thread = thread.value;
    next.database = place.database;
    next.blobs = place.blobs;
    return next;
}

int change(Change which, const Arguments& arguments, const Output& out)
{
    auto at = arguments.state.address();
    if (!at)
        return out.fail(at.error());
    engine::StateUpdate update;
    if (!arguments.asNode.empty())
        update.asNode = arguments.asNode;
    if (!arguments.values.empty()) {
        auto values = jsonArgument(arguments.values, "--values");
        if (!values)
            return out.fail(Usage, values.error().message);
        if (!values->isMap() && !values->isNull())
            return out.fail(Usage,
                            R"(--values must be a JSON object that gives channels their values, such as )"
                            R"({"value": 1}; null writes nothing)");
        update.values = std::move(*values);
    } else if (which == Change::Update && !update.asNode) {
        return out.fail(Usage,
                        "name what to store with --values JSON (or only --as-node NODE, whose edges "
                        "are followed then)");
    }
    auto project = arguments.state.place.openWorkbenchOf(at->thread);
    if (!project)
        return out.fail(project.error());
    if (const int broken = refuseBrokenGraph(**project, runs::Check::Form, out); broken != Done)
        return broken;
    runs::ThreadStates& states = (*project)->states();
    const auto sandbox =
        rewind::sandboxChoiceNamed(arguments.sandbox).value_or(rewind::SandboxChoice::Restore);
    auto made = which == Change::Update ? states.update(*at, update)
        : arguments.rerun.empty()       ? states.fork(*at, update, sandbox)
                                        : states.forkToRerun(*at, { NodeId(arguments.rerun) }, sandbox);
    if (!made)
        return out.fail(made.error());
    for (const std::string& key : made->ignored)
        out.note("warning: '" + key + "' is no channel of the graph, its value was dropped");
    if (out.json)
        out.document(changeDocument(*made));
    out.text("checkpoint " + made->checkpoint.value + "  step " + std::to_string(made->step) + "  "
             + made->source.text() + "  next " + nextText(*made));
    if (!made->next.empty())
        out.text("go on from it with: "
                 + resumeCommand(nextRun(arguments.state.place, **project, made->thread))
                 + (sandbox == rewind::SandboxChoice::Exact || sandbox == rewind::SandboxChoice::Stored
                        ? " --sandbox " + arguments.sandbox
                        : ""));
    return Done;
}

void add(Verb verb, Change which, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    verb.option("GRAPH,--graph", arguments->state.place.graph,
                "graph file, or a project folder (default: the current project's)");
    arguments->state.addThread(verb);
    arguments->state.addCheckpoint(
        verb,
        which == Change::Update ? "on this one: a branch, where it is not the newest (default: the newest)"
                                : "that the branch starts from (default: the newest)");
    verb.option("--values", arguments->values, "what to write: JSON, @FILE or @-");
    arguments->state.place.blobs.add(verb);
    verb.option("--as-node", arguments->asNode,
                "as this node, whose edges are followed (default: the one that wrote last)");
    if (which == Change::Fork) {
        addSandboxChoice(verb, arguments->sandbox);
        verb.option("--rerun", arguments->rerun,
                    "this node alone runs again: what the others of its step wrote there is kept")
            .excludes("--values")
            .excludes("--as-node");
    }
    verb.onRun([arguments, which, &shell] { shell.exit = change(which, *arguments, shell.out); });
}

} // namespace

void addUpdate(Verb app, Shell& shell)
{
    add(app.add("update", "change a thread's state, as if a node had returned values"), Change::Update,
        shell);
}

void addFork(Verb app, Shell& shell)
{
    add(app.add("fork", "begin a new branch at a checkpoint, with other values if given"), Change::Fork,
        shell);
}

} // namespace sg::cli
