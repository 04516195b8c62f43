#include "app/cli/commands/commands.h"
#include "core/base/file.h"
#include "core/projects/graph_exchange.h"
#include "core/workbench/workbench.h"

#include <memory>
#include <string>

namespace sg::cli {
namespace {

struct ExportArguments {
    std::string path;
    std::string output;
    std::string form; // name of the one flag given: "python", "svg", …
};

int writePython(const projects::ProjectPaths& paths, const graph::Graph& graph, const std::string& folder,
                const Output& out)
{
    if (folder.empty())
        return out.fail(Usage, "name the new project's folder: --python -o FOLDER");
    const auto exported = projects::exportPython(graph, paths, folder);
    if (!exported
        && exported.error().code == Errc::Unsupported) // the graph is fine, a part has no counterpart
        return out.fail(Usage, exported.error().message);
    if (!exported)
        return out.fail(exported.error());
    if (out.json)
        out.document(Value::map({ { "folder", folder },
                                  { "package", exported->package },
                                  { "files", ValueList(exported->files.begin(), exported->files.end()) },
                                  { "notes", ValueList(exported->notes.begin(), exported->notes.end()) } }));
    out.text(folder + ": " + counted(static_cast<std::int64_t>(exported->files.size()), "file")
             + "; python -m " + exported->package + " --help");
    for (const std::string& note : exported->notes)
        out.text("- " + note);
    return Done;
}

int writePicture(const graph::Graph& graph, const ExportArguments& arguments, const Output& out)
{
    const auto format = arguments.form == "svg" ? projects::PictureFormat::Svg
        : arguments.form == "dot"               ? projects::PictureFormat::Dot
                                                : projects::PictureFormat::Mermaid;
    const std::string text = projects::pictureOf(graph, format);
    if (arguments.output.empty() || arguments.output == "-") {
        if (out.json)
            out.document(Value::map({ { arguments.form, text } }));
        out.text(text);
        return Done;
    }
    if (auto written = writeFileAtomically(arguments.output, text); !written)
        return out.fail(written.error());
    if (out.json)
        out.document(Value::map({ { "file", arguments.output } }));
    return Done;
}

int exportGraph(const ExportArguments& arguments, const Output& out)
{
    if (arguments.form == "png")
        return out.fail(
            Usage,
            "PNG pictures are not made; --svg is the same picture, which image programs turn into one");
    if (arguments.form.empty())
        return out.fail(Usage, "name a form: --python, --svg, --dot or --mermaid");
    auto paths = projects::locateGraph(arguments.path);
    if (!paths)
        return out.fail(paths.error());
    const bool python = arguments.form == "python";
    auto file = runs::checkedGraph(*paths, python ? runs::Check::Files : runs::Check::Form);
    if (!file)
        return out.fail(file.error());
    if (file->hasErrors()) {
        for (const graph::Problem& problem : file->problems)
            out.note(graph::describe(problem, paths->graph.filename().string()));
        return out.fail(InvalidGraph, "the graph has errors; see: sandglass validate " + arguments.path);
    }
    return python ? writePython(*paths, file->graph, arguments.output, out)
                  : writePicture(file->graph, arguments, out);
}

} // namespace

void addExport(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<ExportArguments>();
    Verb verb = app.add("export", "write a graph as a LangGraph project, or as a picture");
    verb.option("GRAPH", arguments->path, "graph file, or a project folder").required();
    Verb forms = verb.group("form");
    const auto form = [&](const char* name, const char* what) {
        forms.flag(
            "--" + std::string(name), [arguments, name] { arguments->form = name; }, what);
    };
    form("python", "a Python project that runs under LangGraph; -o names its folder");
    form("svg", "a picture with the canvas's places");
    form("dot", "Graphviz source");
    form("mermaid", "a Mermaid flowchart");
    form("png", "not made: see --svg");
    forms.needsOption(0, 1);
    verb.option("-o,--output", arguments->output, "file (default for pictures: stdout) or new folder");
    verb.onRun([arguments, &shell] { shell.exit = exportGraph(*arguments, shell.out); });
}

} // namespace sg::cli
