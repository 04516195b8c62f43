#include "app/cli/commands/commands.h"
#include "core/base/file.h"
#include "core/graph/diff.h"
#include "core/graph/graph_value.h"
#include "core/history/database.h"
#include "core/projects/graph_exchange.h"
#include "core/projects/project_text.h"
#include "core/workbench/workbench.h"

#include <memory>
#include <utility>

namespace sg::cli {
namespace {

int printGraph(const std::string& path, bool dot, const Output& out)
{
    auto paths = projects::locateGraph(path);
    if (!paths)
        return out.fail(paths.error());
    auto file = runs::checkedGraph(*paths, runs::Check::Form);
    if (!file)
        return out.fail(file.error());
    if (file->hasErrors()) {
        for (const graph::Problem& problem : file->problems)
            out.note(graph::describe(problem, paths->graph.filename().string()));
        return out.fail(InvalidGraph, "the graph has errors; see: sandglass validate " + path);
    }
    const std::string text =
        dot ? projects::pictureOf(file->graph, projects::PictureFormat::Dot) : graph::graphText(file->graph);
    if (!out.json)
        out.text(text);
    else if (dot)
        out.document(Value::map({ { "dot", text } }));
    else
        out.document(Value::map({ { "graph", graph::graphValue(file->graph) } }));
    return Done;
}

// The sources of the two versions to compare.
struct DiffArguments {
    std::string graph;
    std::string other;
    std::string revision;
    std::string run;
};

Result<std::string> versionText(const DiffArguments& arguments, const projects::ProjectPaths& paths)
{
    if (!arguments.run.empty()) {
        auto database = history::Database::open(paths.checkpoints, history::Database::Access::ReadOnly);
        if (!database)
            return std::move(database.error());
        auto text = (*database)->history().graphOf(RunId(arguments.run));
        if (!text)
            return std::move(text.error());
        if (!*text)
            return Error{ Errc::NotFound,
                          "the graph of run '" + arguments.run
                              + "' is not recorded. See the runs with: sandglass history --runs" };
        return std::move(**text);
    }
    return projects::committedText(paths.graph, arguments.revision.empty() ? "HEAD" : arguments.revision);
}

Result<graph::Graph> readVersion(const std::string& text, const std::string& what)
{
    auto file = graph::parseGraph(text);
    if (!file)
        return std::move(file.error()).during(what);
    if (file->hasErrors())
        return Error{ Errc::InvalidArgument,
                      what + ": " + graph::describe(file->problems.front(), "graph file") };
    return std::move(file->graph);
}

Value documentOf(const std::vector<graph::Difference>& found)
{
    ValueList list;
    for (const graph::Difference& difference : found) {
        ValueList path;
        for (const NodeId& id : difference.path)
            path.emplace_back(id.value);
        ValueList fields;
        for (const graph::FieldChange& field : difference.fields)
            fields.push_back(Value::map(
                { { "field", field.field }, { "before", field.before }, { "after", field.after } }));
        list.push_back(Value::map({ { "part", std::string(graph::partKindWord(difference.kind)) },
                                    { "change", std::string(graph::partChangeName(difference.change)) },
                                    { "name", difference.name },
                                    { "path", std::move(path) },
                                    { "fields", std::move(fields) } }));
    }
    return list;
}

// Compares two files or, given one, its older version in git or in a run.
int diffGraphs(const DiffArguments& arguments, const Output& out)
{
    auto paths = projects::locateGraph(arguments.graph);
    if (!paths)
        return out.fail(paths.error());
    auto newer = readFile(paths->graph);
    if (!newer)
        return out.fail(newer.error());
    Result<std::string> older = Error{ Errc::NotFound, {} };
    if (arguments.other.empty()) {
        older = versionText(arguments, *paths);
    } else {
        auto otherPaths = projects::locateGraph(arguments.other);
        if (!otherPaths)
            return out.fail(otherPaths.error());
        older = std::exchange(newer, readFile(otherPaths->graph));
    }
    if (!older)
        return out.fail(older.error());
    if (!newer)
        return out.fail(newer.error());
    auto before = readVersion(*older, "the older version");
    auto after = readVersion(*newer, "the newer version");
    if (!before || !after)
        return out.fail(!before ? before.error() : after.error());
    const auto found = graph::differences(*before, *after);
    if (out.json) {
        out.document(documentOf(found));
        return Done;
    }
    for (const graph::Difference& difference : found)
        out.text(graph::describe(difference));
    if (found.empty())
        out.text("the graphs are the same");
    return Done;
}

void addGraphDiff(Verb graph, Shell& shell)
{
    const auto arguments = std::make_shared<DiffArguments>();
    Verb verb = graph.add(
        "diff", "print what changed from graph A to B; with A alone, from what git has of it (HEAD) to A");
    verb.option("A", arguments->graph, "graph file, or a project folder").required();
    Option other = verb.option("B", arguments->other, "graph file, or a project folder");
    Option revision = verb.option("--rev", arguments->revision, "what git has at this revision, against A");
    verb.option("--run", arguments->run, "what this run was started on, against A")
        .excludes(other)
        .excludes(revision);
    revision.excludes(other);
    verb.onRun([arguments, &shell] { shell.exit = diffGraphs(*arguments, shell.out); });
}

} // namespace

void addGraph(Verb app, Shell& shell)
{
    struct Arguments {
        std::string path;
        bool dot = false;
    };
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("graph", "print a graph in another form");
    verb.option("GRAPH", arguments->path, "graph file, or a project folder");
    verb.flag("--dot", arguments->dot, "as Graphviz source (default: the file as Sandglass would write it)");
    addGraphDiff(verb, shell);
    verb.onRun([arguments, verb, &shell] {
        if (verb.hasVerb())
            return;
        if (arguments->path.empty())
            Verb::throwMissing("GRAPH");
        shell.exit = printGraph(arguments->path, arguments->dot, shell.out);
    });
}

} // namespace sg::cli
