#include "app/cli/commands/commands.h"
#include "app/cli/run_console.h"
#include "core/config/runtime.h"
#include "core/projects/new_project.h"

#include <filesystem>
#include <memory>
#include <string>

namespace sg::cli {
namespace {

struct Arguments {
    std::string folder;
    std::string name;
    std::string from = "empty";
    bool lists = false;
};

int listTemplates(const projects::TemplateFolders& folders, const Output& out)
{
    ValueList rows;
    for (const projects::Template& each : projects::projectTemplates(folders)) {
        const bool isExample = each.kind == projects::Template::Kind::Example;
        rows.push_back(Value::map({ { "template", each.id },
                                    { "kind", isExample ? "example" : "plain" },
                                    { "facts", each.facts },
                                    { "description", each.description } }));
        out.text(each.id + (isExample ? " (example): " : ": ") + each.facts);
    }
    if (out.json)
        out.document(Value(std::move(rows)));
    return Done;
}

int makeProject(const Arguments& arguments, const projects::TemplateFolders& folders, const Output& out)
{
    const auto from = projects::findTemplate(folders, arguments.from);
    if (!from)
        return out.fail(from.error());
    projects::NewProject project{ arguments.name, arguments.folder };
    if (project.name.empty())
        project.name = std::filesystem::absolute(project.folder / "").parent_path().filename().string();
    const auto made = projects::createProject(project, *from);
    if (!made)
        return out.fail(made.error());
    if (out.json)
        out.document(Value::map({ { "project", made->folder.string() },
                                  { "graph", made->graph.string() },
                                  { "template", from->id } }));
    out.text(made->graph.string() + ": " + from->facts);
    if (!from->graph.nodes.empty())
        out.note("Run it with: " + exampleCommand(from->graph, made->folder.string(), "main"));
    out.note("Open it in the window with: sandglass open " + shellWord(made->folder.string()));
    return Done;
}

} // namespace

void addNew(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("new", "make a project: its folder, a graph, and what it begins with");
    verb.option("FOLDER", arguments->folder, "where; folders that do not exist are made");
    verb.option("--name", arguments->name, "of project and graph; else the folder's");
    verb.option("--template", arguments->from, "what it begins with; else 'empty'");
    verb.flag("--list", arguments->lists, "list the templates instead");
    verb.onRun([arguments, &shell] {
        const config::RuntimePaths runtime = config::locateRuntime();
        const projects::TemplateFolders folders{ runtime.templates, runtime.examples };
        if (arguments->lists)
            shell.exit = listTemplates(folders, shell.out);
        else if (arguments->folder.empty())
            shell.exit = shell.out.fail(Usage, "name the folder: sandglass new FOLDER");
        else
            shell.exit = makeProject(*arguments, folders, shell.out);
    });
}

} // namespace sg::cli
