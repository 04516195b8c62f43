#include "ui/graph/layout/graph_drawing.h"

#include "core/graph/command_ends.h"
#include "core/graph/node_kinds.h"

#include <algorithm>
#include <unordered_map>

namespace sg::ui {

namespace {

// Collects edges and knows the index of each node's name.
class Builder {
public:
    Builder(const graph::Graph& graph, Terminals terminals)
        : m_graph(graph)
    {
        m_index.reserve(graph.nodes.size() + 2);
        drawing.nodes.reserve(graph.nodes.size() + 2);
        drawing.edges.reserve(graph.edges.size() + graph.branches.size());
        const bool both = terminals == Terminals::Both && !graph.nodes.empty();
        const bool starts = both || touches(graph::kStart);
        if (starts)
            add(graph::kStart, { .id = NodeId(graph::kStart), .kind = DrawnNode::Kind::Start });
        for (const graph::Node& node : graph.nodes)
            if (!m_index.contains(node.name.value))
                add(node.name.value, { node.name, DrawnNode::Kind::Card, node.kind, subtitleOf(node), {} });
        if (both || touches(graph::kEnd))
            add(graph::kEnd, { .id = NodeId(graph::kEnd), .kind = DrawnNode::Kind::End });
        for (std::size_t i = 0; i < graph.edges.size(); ++i)
            addEdge(graph.edges[i], i);
        for (std::size_t i = 0; i < graph.branches.size(); ++i)
            addBranch(graph.branches[i], i);
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
            addCommandEnds(graph.nodes[i], i);
    }

    GraphDrawing drawing;

private:
    [[nodiscard]] bool touches(const char* name) const
    {
        const NodeId id{ name };
        const auto& edges = m_graph.edges;
        const auto& branches = m_graph.branches;
        const auto mayGo = [&](const graph::Node& node) {
            const Value* ends = node.settings.find("ends");
            return ends != nullptr && ends->isList()
                && std::ranges::find(ends->asList(), Value(name)) != ends->asList().end();
        };
        return std::ranges::any_of(m_graph.nodes, mayGo)
            || std::any_of(edges.begin(), edges.end(),
                           [&](const graph::Edge& edge) {
                               return edge.to == id
                                   || std::find(edge.from.begin(), edge.from.end(), id) != edge.from.end();
                           })
            || std::any_of(branches.begin(), branches.end(), [&](const graph::Branch& branch) {
                   if (branch.from == id)
                       return true;
                   return branch.targets
                       && std::any_of(branch.targets->begin(), branch.targets->end(),
                                      [&](const auto& target) { return target.second == id; });
               });
    }

    void add(std::string_view name, DrawnNode node)
    {
        m_index.emplace(name, drawing.nodes.size());
        drawing.nodes.push_back(std::move(node));
        m_ports.push_back(0);
        m_plainPort.push_back(kNoPort);
    }

    void addEdge(const graph::Edge& edge, std::size_t part)
    {
        const auto to = m_index.find(edge.to.value);
        if (to == m_index.end())
            return;
        const bool waits = edge.waiting || edge.from.size() > 1;
        DrawnJoin join{ to->second, {} };
        for (const NodeId& name : edge.from) {
            const auto from = m_index.find(name.value);
            if (from == m_index.end())
                continue;
            join.edges.push_back(drawing.edges.size());
            drawing.edges.push_back({ from->second,
                                      to->second,
                                      {},
                                      plainPort(from->second),
                                      waits ? drawing.joins.size() : kNoJoin,
                                      false,
                                      false,
                                      part,
                                      0 });
        }
        if (waits && !join.edges.empty())
            drawing.joins.push_back(std::move(join));
    }

    void addBranch(const graph::Branch& branch, std::size_t part)
    {
        const auto from = m_index.find(branch.from.value);
        if (from == m_index.end())
            return;
        if (!branch.targets) {
            drawing.edges.push_back(
                { from->second, from->second, {}, nextPort(from->second), kNoJoin, true, true, part, 0 });
            return;
        }
        for (std::size_t i = 0; i < branch.targets->size(); ++i) {
            const auto& [label, name] = (*branch.targets)[i];
            const auto to = m_index.find(name.value);
            if (to == m_index.end())
                continue;
            drawing.nodes[from->second].outcomes.push_back(label);
            drawing.edges.push_back(
                { from->second, to->second, label, nextPort(from->second), kNoJoin, false, true, part, i });
        }
    }

    void addCommandEnds(const graph::Node& node, std::size_t part)
    {
        const auto from = m_index.find(node.name.value);
        for (const graph::CommandEnd& end : graph::commandEnds(m_graph, node))
            if (const auto to = m_index.find(end.to.value); to != m_index.end())
                drawing.edges.push_back({ from->second,
                                          to->second,
                                          {},
                                          plainPort(from->second),
                                          kNoJoin,
                                          false,
                                          false,
                                          part,
                                          end.index,
                                          true });
    }

    std::size_t nextPort(std::size_t node) { return m_ports[node]++; }

    // All edges without a condition share one port.
    std::size_t plainPort(std::size_t node)
    {
        if (m_plainPort[node] == kNoPort)
            m_plainPort[node] = nextPort(node);
        return m_plainPort[node];
    }

    static constexpr std::size_t kNoPort = static_cast<std::size_t>(-1);
    const graph::Graph& m_graph;
    std::unordered_map<std::string_view, std::size_t> m_index; // the names are the graph's own strings
    std::vector<std::size_t> m_ports;
    std::vector<std::size_t> m_plainPort;
};

std::string firstLine(const std::string& text)
{
    const std::size_t from = text.find_first_not_of(" \t\r\n");
    if (from == std::string::npos)
        return {};
    return text.substr(from, text.find('\n', from) - from);
}

} // namespace

std::size_t GraphDrawing::findNode(const NodeId& id) const
{
    const auto found =
        std::find_if(nodes.begin(), nodes.end(), [&](const DrawnNode& node) { return node.id == id; });
    return static_cast<std::size_t>(found - nodes.begin());
}

GraphDrawing drawingOf(const graph::Graph& graph, Terminals terminals)
{
    return Builder(graph, terminals).drawing;
}

GraphDrawing withoutInsides(GraphDrawing drawing)
{
    for (DrawnNode& node : drawing.nodes)
        node.openWidth = node.openHeight = 0;
    return drawing;
}

std::string subtitleOf(const graph::Node& node)
{
    const graph::NodeKind* kind = graph::findNodeKind(node.kind);
    std::string_view keys = kind ? kind->subtitle : "";
    if (keys.starts_with('='))
        return std::string(keys.substr(1));
    while (!keys.empty()) {
        const std::size_t end = std::min(keys.find(' '), keys.size());
        const Value* value = node.settings.find(keys.substr(0, end));
        const std::string text = value && value->isString() ? firstLine(value->asString()) : std::string();
        if (!text.empty())
            return text;
        keys.remove_prefix(std::min(end + 1, keys.size()));
    }
    return node.kind;
}

} // namespace sg::ui
