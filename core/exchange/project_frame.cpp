#include "core/exchange/project_frame.h"

#include "core/base/json.h"
#include "core/exchange/graph_module.h"
#include "core/exchange/python_module.h"
#include "core/exchange/python_sources.h"
#include "core/exchange/python_text.h"

namespace sg::exchange {
namespace {

// The conformance tests compare with these versions.
constexpr const char* kLangGraph = "langgraph==1.2.22";
constexpr const char* kSqlite = "langgraph-checkpoint-sqlite==3.1.2";
constexpr const char* kJq = "jq==1.13.0";

std::string replaced(std::string text, std::string_view what, const std::string& with)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

// Opens what a run needs: its database, and the store if the graph has one.
std::string opened(const graph::StoreSettings& store)
{
    const std::string database = "SqliteSaver.from_conn_string(options.db) as checkpointer";
    if (!store.enabled)
        return database;
    const std::string ttl = !store.ttl ? ""
                                       : ", ttl={\"default_ttl\": " + toJson(Value(*store.ttl))
            + ", \"refresh_on_read\": " + (store.refreshOnRead ? "True" : "False") + "}";
    return "(\n        " + database + ",\n        SqliteStore.from_conn_string(\"store.sqlite\"" + ttl
        + ") as store,\n    )";
}

} // namespace

std::string pyprojectText(const ProjectFrame& frame)
{
    std::string text =
        "[build-system]\nrequires = [\"setuptools>=64\"]\nbuild-backend = \"setuptools.build_meta\"\n\n"
        "[project]\nname = "
        + toJson(Value(frame.package)) + "\nversion = \"0.1.0\"\n";
    text += "description = " + toJson(Value(frame.description)) + "\nreadme = \"README.md\"\n"
        + "requires-python = \">=3.10\"\ndependencies = [\n";
    for (const char* pin : { kLangGraph, kSqlite })
        text += "    \"" + std::string(pin) + "\",\n";
    if (frame.usesJq)
        text += "    \"" + std::string(kJq) + "\",\n";
    for (const std::string& requirement : frame.requirements)
        text += "    " + toJson(Value(requirement)) + ",\n";
    return text + "]\n\n[tool.setuptools.packages.find]\ninclude = [\"" + frame.package + "*\"]\n";
}

std::string readmeText(const ProjectFrame& frame)
{
    const std::string& package = frame.package;
    std::string text = "# " + package + "\n\n" + frame.description + "\n\n";
    text += "    pip install -e .\n"
            "    python -m "
        + package + " --input '{…}' --thread demo\n    python -m " + package
        + " --thread demo                  # goes on: after a stop, a failure, a breakpoint\n    python "
          "-m "
        + package + " --thread demo --answer '\"yes\"' # answers a question\n\n";
    text += "`" + package
        + "/graph.py` builds the graph: the state, the steps, then nodes and edges. `graph` is compiled "
        + "without a\ncheckpointer; `compile_graph(checkpointer, store)` takes yours. Threads of `python "
          "-m` lie in "
          "`checkpoints.sqlite`.\n";
    if (!frame.foreignImports.empty()) {
        text += "\nThe nodes' code also imports: ";
        for (const std::string& name : frame.foreignImports)
            text += (&name == frame.foreignImports.data() ? "`" : ", `") + name + "`";
        text += frame.requirements.empty()
            ? ". Add what they need to `pyproject.toml`.\n"
            : ". What `pyproject.toml` does not name for them yet is to be added.\n";
    }
    if (!frame.notes.empty())
        text += "\nWhat is otherwise than in Sandglass:\n";
    for (const std::string& note : frame.notes)
        text += "- " + note + "\n";
    return text;
}

std::string mainText(const ProjectFrame& frame)
{
    PythonModule module(docstring(frame.description.empty() ? "Runs the graph." : frame.description));
    for (const char* name : { "argparse", "json", "sys" })
        module.import(name);
    module.from("langchain_core.messages", "BaseMessage");
    module.from("langgraph.checkpoint.sqlite", "SqliteSaver");
    module.from("langgraph.types", "Command");
    module.from("langgraph.types", "Interrupt");
    module.from(".graph", "compile_graph");
    const bool store = frame.store.enabled;
    if (store)
        module.from("langgraph.store.sqlite", "SqliteStore");
    std::string text = replaced(std::string(pythonSource("main")), "@PACKAGE@", frame.package);
    text = replaced(text, "@OPENED@", opened(frame.store));
    text = replaced(text, "compile_graph(@GIVEN@)",
                    store ? "compile_graph(checkpointer, store)" : "compile_graph(checkpointer)");
    if (store)
        text = replaced(text, "        graph = ", "        store.setup()\n        graph = ");
    module.addDefinition(
        replaced(text, "@DURABILITY@",
                 frame.durability.empty() ? "" : ", durability=" + pythonText(frame.durability)));
    return module.text();
}

std::string initText(const ProjectFrame& frame)
{
    const std::string description = docstring(frame.description.empty() ? frame.package : frame.description);
    if (!frame.moduleFolders.empty()) {
        std::string folders;
        for (const std::string& folder : frame.moduleFolders)
            folders += (folders.empty() ? "" : ", ") + toJson(Value(folder));
        return description
            + "\n\nimport sys\nfrom pathlib import Path\n\n# Modules that the steps import.\nsys.path += "
              "[str(Path(__file__).parent / folder) for folder in ["
            + folders
            + "]]\n\nfrom .graph import compile_graph, graph  # noqa: E402\n\n__all__ = [\"compile_graph\", "
              "\"graph\"]\n";
    }
    PythonModule module(description);
    module.from(".graph", "compile_graph");
    module.from(".graph", "graph");
    module.addLine("__all__ = [\"compile_graph\", \"graph\"]");
    return module.text();
}

} // namespace sg::exchange
