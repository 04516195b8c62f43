#include "app/cli/commands/commands.h"
#include "core/projects/graph_exchange.h"

#include <memory>

namespace sg::cli {
namespace {

int importGraph(const std::string& file, const std::string& output, const Output& out)
{
    const auto imported = projects::importLangGraph(file, output);
    if (!imported)
        return out.fail(imported.error());
    const auto list = [](const std::vector<std::string>& items) {
        return ValueList(items.begin(), items.end());
    };
    if (out.json)
        out.document(Value::map({ { "graph", output },
                                  { "written", list(imported->written) },
                                  { "kept", list(imported->kept) },
                                  { "notes", list(imported->notes) } }));
    out.text(output + ": " + counted(static_cast<std::int64_t>(imported->nodes), "node") + ", "
             + counted(static_cast<std::int64_t>(imported->written.size()), "code file") + " to be written");
    for (const std::string& kept : imported->kept)
        out.text("kept as it was: " + kept);
    for (const std::string& note : imported->notes)
        out.text(note);
    return Done;
}

} // namespace

void addImport(Verb app, Shell& shell)
{
    struct Arguments {
        std::string file;
        std::string output;
    };
    const auto arguments = std::make_shared<Arguments>();
    Verb verb =
        app.add("import", "make a graph file from the JSON of a LangGraph graph (get_graph().to_json())");
    verb.option("FILE", arguments->file, "the JSON file").required();
    verb.option("-o,--output", arguments->output, "the new graph file, NAME.graph.json").required();
    verb.onRun(
        [arguments, &shell] { shell.exit = importGraph(arguments->file, arguments->output, shell.out); });
}

} // namespace sg::cli
