#include "core/exchange/mermaid.h"

#include "core/graph/command_ends.h"

#include <map>

namespace sg::exchange {
namespace {

// Mermaid has no escapes but its own entities.
std::string entityText(std::string_view text)
{
    std::string result = "\"";
    for (const char c : text) {
        switch (c) {
        case '"': result += "#quot;"; break;
        case '#': result += "#35;"; break;
        case '<': result += "#lt;"; break;
        case '>': result += "#gt;"; break;
        case '&': result += "#amp;"; break;
        case '\n':
        case '\r': result += ' '; break;
        default: result += c;
        }
    }
    return result + '"';
}

class MermaidWriter {
public:
    std::string write(const graph::Graph& graph)
    {
        declare(NodeId(graph::kStart), "([\"start\"])");
        for (const graph::Node& node : graph.nodes)
            declare(node.name, "[" + entityText(node.name.value) + "]");
        declare(NodeId(graph::kEnd), "([\"end\"])");
        for (const graph::Edge& edge : graph.edges)
            edgeLines(edge);
        for (const graph::Branch& branch : graph.branches)
            branchLines(branch);
        for (const graph::Node& node : graph.nodes)
            for (const graph::CommandEnd& end : graph::commandEnds(graph, node))
                arrow(node.name, "-.->", end.to);
        return "flowchart LR\n" + m_text;
    }

private:
    void line(const std::string& text) { m_text += "  " + text + "\n"; }

    void declare(const NodeId& node, const std::string& shape)
    {
        if (m_ids.emplace(node, "n" + std::to_string(m_ids.size())).second)
            line(m_ids[node] + shape);
    }

    // Edges to unknown names are left out.
    void arrow(const NodeId& from, const std::string& sign, const NodeId& to)
    {
        if (m_ids.contains(from) && m_ids.contains(to))
            line(m_ids[from] + " " + sign + " " + m_ids[to]);
    }

    void edgeLines(const graph::Edge& edge)
    {
        if (!edge.waiting && edge.from.size() == 1)
            return arrow(edge.from.front(), "-->", edge.to);
        const NodeId bar("|wait" + std::to_string(m_ids.size())); // a name that no node can have
        declare(bar, "((\" \"))");
        for (const NodeId& from : edge.from)
            arrow(from, "---", bar);
        arrow(bar, "-->", edge.to);
    }

    void branchLines(const graph::Branch& branch)
    {
        if (branch.targets) {
            for (const auto& [label, node] : *branch.targets)
                arrow(branch.from, "-. " + entityText(label) + " .->", node);
            return;
        }
        const NodeId any("|any" + std::to_string(m_ids.size()));
        declare(any, "[\"any node\"]");
        arrow(branch.from, "-.->", any);
    }

    std::string m_text;
    std::map<NodeId, std::string> m_ids;
};

} // namespace

std::string mermaid(const graph::Graph& graph)
{
    return MermaidWriter().write(graph);
}

} // namespace sg::exchange
