#include "core/workbench/graph_saving.h"

#include "core/base/file.h"
#include "core/base/file_replacing.h"
#include "core/graph/graph_file.h"
#include "core/workbench/code_text.h"

#include <optional>
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
    auto written =
        replaceFile(*target, newCode(), kMostCode, [](const auto& there) -> Result<bool> { return !there; });
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
    // Asked twice: code files are made only for a graph that is written, and not while others wait.
    const MayReplace mayReplace = [&](const std::optional<std::string>& there) -> Result<bool> {
        if (there && *there != expected && *there != text)
            return Error{ Errc::Conflict,
                          project.graph.string()
                              + " was changed by another program since it was read; nothing was written" };
        return true;
    };
    std::error_code failed;
    if (fs::exists(project.graph, failed)) {
        auto there = readFile(project.graph, kMostGraphText);
        if (!there)
            return std::move(there.error()).during("save " + project.graph.string());
        if (auto allowed = mayReplace(*there); !allowed)
            return std::move(allowed.error());
    }
    auto graph = graph::parseGraph(text);
    if (!graph)
        return std::move(graph.error()).during("save " + project.graph.string());
    if (auto made = makeCodeFiles(project, graph->graph); !made)
        return made;
    auto saved = replaceFile(project.graph, text, kMostGraphText, mayReplace);
    if (saved || saved.error().code == Errc::Conflict)
        return saved ? Result<void>() : std::move(saved.error());
    return std::move(saved.error()).during("save " + project.graph.string());
}

} // namespace sg::workbench
