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
constexpr std::string_view kGraphEnding = ".graph.json";

Error wrong(std::string message)
{
    return { Errc::InvalidArgument, std::move(message) };
}

std::vector<GraphTool> graphToolsOf(const Node& node)
{
    std::vector<GraphTool> found;
    const Value* tools = node.kind == kAgentKind ? node.settings.find("tools") : nullptr;
    if (tools != nullptr && tools->isList())
        for (const Value& entry : tools->asList())
            if (auto tool = graphToolOf(entry))
                found.push_back(std::move(*tool));
    return found;
}

Channel lastValue(const char* name)
{
    Channel channel;
    channel.name = name;
    channel.type = ChannelType::LastValue;
    return channel;
}

// The graph of an agent's graph tools, still without them.
Graph emptyToolGraph()
{
    Graph graph;
    graph.name = "tools";
    for (const char* name : { tool_graph::kTool, tool_graph::kInput, tool_graph::kResult })
        graph.channels.push_back(lastValue(name));
    graph.output = { tool_graph::kResult };
    Branch choose;
    choose.from = NodeId(kStart);
    choose.settings = { { "jq", std::string(".") + tool_graph::kTool } };
    graph.branches.push_back(std::move(choose));
    return graph;
}

Node toolNode(const GraphTool& tool, std::shared_ptr<const Graph> graph)
{
    Node node;
    node.name = NodeId(tool.name);
    node.kind = kSubgraphKind;
    node.subgraph = std::move(graph);
    node.settings = { { "in", ".input" + (tool.in.empty() ? "" : " | (" + tool.in + ")") },
                      { "out",
                        "{result: (.result" + (tool.out.empty() ? "" : " | (" + tool.out + ")") + ")}" } };
    return node;
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
            if (const auto tools = graphToolsOf(node); !tools.empty()) {
                auto made = toolGraph(tools);
                if (!made)
                    return std::move(made.error()).during("node '" + node.name.value + "'");
                node.subgraph = std::make_shared<const Graph>(std::move(*made));
                continue;
            }
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
            return node.subgraph ? mayInclude(*node.subgraph)
                                 : node.settings.contains(kGraphFileKey) || !graphToolsOf(node).empty();
        });
    }

    Result<Graph> toolGraph(const std::vector<GraphTool>& tools)
    {
        Graph made = emptyToolGraph();
        for (const GraphTool& tool : tools) {
            if (std::ranges::find(made.nodes, NodeId(tool.name), &Node::name) != made.nodes.end())
                return wrong("two graphs are tools named '" + tool.name + "': give one another \"name\"");
            auto inner = load(tool.file);
            if (!inner)
                return std::move(inner.error());
            made.nodes.push_back(toolNode(tool, std::move(*inner)));
        }
        return made;
    }

    Result<std::shared_ptr<const Graph>> load(const std::string& name)
    {
        auto path = RelativePath::parse(name);
        if (!path)
            return std::move(path.error()).during("the graph file '" + name + "'");
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

std::optional<GraphTool> graphToolOf(const Value& entry)
{
    GraphTool tool;
    tool.file = entry.isString() ? entry.asString() : entry.stringOr("tool", "");
    if (!tool.file.ends_with(kGraphEnding))
        return std::nullopt;
    tool.name = entry.stringOr("name", "");
    tool.in = entry.stringOr("in", "");
    tool.out = entry.stringOr("out", "");
    if (tool.name.empty()) {
        tool.name = tool.file.substr(tool.file.rfind('/') + 1);
        tool.name.resize(tool.name.size() - kGraphEnding.size());
    }
    return tool;
}

Result<Graph> withIncludedGraphs(const Graph& graph, const fs::path& folder)
{
    Graph made = graph;
    if (auto done = Includer(folder).include(made); !done)
        return std::move(done.error());
    return made;
}

} // namespace sg::graph
