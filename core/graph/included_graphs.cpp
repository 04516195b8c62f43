#include "core/graph/included_graphs.h"

#include "core/base/relative_path.h"
#include "core/graph/graph_file.h"
#include "core/graph/node_kinds.h"

#include <algorithm>
#include <memory>
#include <system_error>
#include <vector>

namespace fs = std::filesystem;

namespace sg::graph {
namespace {

constexpr std::size_t kDeepest = 16;

Error wrong(std::string message)
{
    return { Errc::InvalidArgument, std::move(message) };
}

class Includer {
public:
    explicit Includer(const fs::path& folder)
        : m_folder(folder)
    {
    }

    Result<void> include(Graph& graph)
    {
        for (Node& node : graph.nodes) {
            if (node.subgraph) {
                if (!mayInclude(*node.subgraph))
                    continue;
                auto inner = std::make_shared<Graph>(*node.subgraph);
                if (auto done = include(*inner); !done)
                    return done;
                node.subgraph = std::move(inner);
                continue;
            }
            const Value* file = node.settings.find(kGraphFileKey);
            if (node.kind != kSubgraphKind || file == nullptr || !file->isString())
                continue;
            auto inner = load(file->asString());
            if (!inner)
                return std::move(inner.error()).during("node '" + node.name.value + "'");
            node.subgraph = std::move(*inner);
        }
        return {};
    }

private:
    static bool mayInclude(const Graph& graph)
    {
        return std::ranges::any_of(graph.nodes, [](const Node& node) {
            return node.subgraph ? mayInclude(*node.subgraph) : node.settings.contains(kGraphFileKey);
        });
    }

    Result<std::shared_ptr<const Graph>> load(const std::string& name)
    {
        auto path = RelativePath::parse(name);
        if (!path)
            return std::move(path.error()).during("\"graph_file\"");
        std::error_code failed;
        const fs::path real = fs::canonical(m_folder / path->text(), failed);
        if (failed)
            return wrong("there is no graph file '" + name + "'");
        const fs::path below = real.lexically_relative(fs::canonical(m_folder, failed));
        if (failed || below.empty() || *below.begin() == "..")
            return wrong("the graph file '" + name + "' is a link that leads out of the graph's folder");
        if (std::ranges::find(m_open, real) != m_open.end())
            return wrong("the graph file '" + name + "' includes itself");
        if (m_open.size() == kDeepest)
            return wrong("graph files include each other more than " + std::to_string(kDeepest) + " deep");
        auto file = loadGraph(real);
        if (!file)
            return std::move(file.error());
        for (const Problem& problem : file->problems)
            if (problem.severity == Problem::Severity::Error)
                return wrong(describe(problem, name));
        m_open.push_back(real);
        auto inner = std::make_shared<Graph>(std::move(file->graph));
        if (auto done = include(*inner); !done)
            return std::move(done.error()).during(name);
        m_open.pop_back();
        return std::shared_ptr<const Graph>(std::move(inner));
    }

    const fs::path& m_folder;
    std::vector<fs::path> m_open; // the files that lead to where we are
};

} // namespace

Result<Graph> withIncludedGraphs(const Graph& graph, const fs::path& folder)
{
    Graph made = graph;
    if (auto done = Includer(folder).include(made); !done)
        return std::move(done.error());
    return made;
}

} // namespace sg::graph
