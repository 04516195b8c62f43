#include "app/cli/commands/commands.h"
#include "core/graph/dot.h"
#include "core/graph/graph_value.h"
#include "core/workbench/workbench.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace sg::cli {
namespace {

int printGraph(const std::string& path, bool dot, const Output& out)
{
    auto paths = workbench::locateGraph(path);
    if (!paths)
        return out.fail(paths.error());
    auto file = workbench::checkedGraph(*paths, workbench::Check::Form);
    if (!file)
        return out.fail(file.error());
    if (file->hasErrors()) {
        for (const graph::Problem& problem : file->problems)
            out.note(graph::describe(problem, paths->graph.filename().string()));
        return out.fail(InvalidGraph, "the graph has errors; see: sandglass validate " + path);
    }
    const std::string text = dot ? graph::toDot(file->graph) : graph::graphText(file->graph);
    if (!out.json)
        out.text(text);
    else if (dot)
        out.document(Value::map({ { "dot", text } }));
    else
        out.document(Value::map({ { "graph", graph::graphValue(file->graph) } }));
    return Done;
}

} // namespace

void addGraph(CLI::App& app, Shell& shell)
{
    struct Arguments {
        std::string path;
        bool dot = false;
    };
    const auto arguments = std::make_shared<Arguments>();
    CLI::App* verb = app.add_subcommand("graph", "print a graph in another form");
    verb->add_option("GRAPH", arguments->path, "graph file, or a project folder")->required();
    verb->add_flag("--dot", arguments->dot,
                   "as Graphviz source (default: the file as Sandglass would write it)");
    verb->callback(
        [arguments, &shell] { shell.exit = printGraph(arguments->path, arguments->dot, shell.out); });
}

} // namespace sg::cli
