#include "app/cli/commands/commands.h"
#include "app/cli/documents.h"
#include "core/runs/code_check.h"
#include "core/workbench/workbench.h"

#include <memory>

namespace sg::cli {
namespace {

int validate(const std::string& path, const Output& out)
{
    auto paths = projects::locateGraph(path);
    if (!paths)
        return out.fail(paths.error());
    const std::string name = paths->graph.filename().string();
    const auto settings = config::outerSettings(*paths, {}, config::processEnvironment, {});
    if (!settings)
        return out.fail(settings.error());
    auto file = runs::checkedGraph(*paths, runs::Check::All, *settings);
    if (!file)
        return out.fail(file.error());
    runs::checkCode(*file, *paths);
    if (out.json)
        out.document(problemsDocument(file->problems));
    for (const graph::Problem& problem : file->problems)
        out.note(graph::describe(problem, name));
    if (file->hasErrors())
        return InvalidGraph;
    out.text(name + ": valid, " + counted(static_cast<std::int64_t>(file->graph.nodes.size()), "node"));
    return Done;
}

} // namespace

void addValidate(Verb app, Shell& shell)
{
    const auto path = std::make_shared<std::string>();
    Verb verb = app.add("validate", "check a graph file and name every problem");
    verb.option("GRAPH", *path, "graph file, or a project folder").required();
    verb.onRun([path, &shell] { shell.exit = validate(*path, shell.out); });
}

} // namespace sg::cli
