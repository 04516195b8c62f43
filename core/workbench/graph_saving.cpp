#include "core/workbench/graph_saving.h"

#include "core/base/file.h"
#include "core/graph/graph_file.h"
#include "core/workbench/code_text.h"

#include <system_error>

namespace sg::workbench {
namespace {

namespace fs = std::filesystem;

// Only below the project's folder, also where a link leads elsewhere; what exists stays as it is.
Result<void> makeCodeFile(const fs::path& folder, const std::string& name)
{
    const auto target = codePath(folder, name);
    std::error_code failed;
    if (!target || fs::exists(*target, failed))
        return {}; // the graph's problems tell of a name that leads nowhere
    fs::create_directories(target->parent_path(), failed);
    auto written = writeFileAtomically(*target, newCode());
    if (!written)
        return std::move(written.error()).during("create the code file " + target->string());
    return {};
}

Result<void> makeCodeFiles(const ProjectPaths& project, const graph::Graph& graph)
{
    for (const graph::Node& node : graph.nodes) {
        const Value* file = node.settings.find("file");
        if (node.kind == "python" && file && file->isString())
            if (auto made = makeCodeFile(project.folder, file->asString()); !made)
                return made;
        if (node.subgraph)
            if (auto made = makeCodeFiles(project, *node.subgraph); !made)
                return made;
    }
    return {};
}

} // namespace

Result<void> saveGraphText(const ProjectPaths& project, std::string_view text, std::string_view expected)
{
    std::error_code failed;
    if (fs::exists(project.graph, failed)) {
        auto there = readFile(project.graph, kMostGraphText);
        if (!there)
            return std::move(there.error()).during("save " + project.graph.string());
        if (*there != expected && *there != text)
            return Error{ Errc::Conflict,
                          project.graph.string()
                              + " was changed by another program since it was read; nothing was written" };
    }
    auto graph = graph::parseGraph(text);
    if (!graph)
        return std::move(graph.error()).during("save " + project.graph.string());
    if (auto made = makeCodeFiles(project, graph->graph); !made)
        return made;
    auto saved = writeFileAtomically(project.graph, text);
    if (!saved)
        return std::move(saved.error()).during("save " + project.graph.string());
    return {};
}

} // namespace sg::workbench
