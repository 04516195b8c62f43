#include "core/exchange/dot.h"

#include "core/graph/command_ends.h"

namespace sg::exchange {

namespace {

std::string inQuotes(std::string_view text)
{
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        result += c == '\n' || c == '\r' ? ' ' : c;
    }
    return result + '"';
}

class DotWriter {
public:
    std::string write(const graph::Graph& graph)
    {
        m_text = "digraph " + inQuotes(graph.name.empty() ? "graph" : graph.name)
            + " {\n"
              "  rankdir=LR;\n"
              "  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n"
              "  edge [fontname=\"sans-serif\"];\n";
        terminal(graph::kStart, "start");
        for (const graph::Node& node : graph.nodes)
            line(inQuotes(node.name.value) + " [label=" + nodeLabel(node) + "]");
        terminal(graph::kEnd, "end");
        for (const graph::Edge& edge : graph.edges)
            edgeLines(edge);
        for (const graph::Branch& branch : graph.branches)
            branchLines(branch);
        for (const graph::Node& node : graph.nodes)
            for (const graph::CommandEnd& end : graph::commandEnds(graph, node))
                arrow(node.name.value, end.to.value, "style=dotted");
        return m_text + "}\n";
    }

private:
    void line(const std::string& text) { m_text += "  " + text + ";\n"; }

    void arrow(std::string_view from, std::string_view to, const std::string& attributes = {})
    {
        line(inQuotes(from) + " -> " + inQuotes(to) + (attributes.empty() ? "" : " [" + attributes + "]"));
    }

    void terminal(const char* name, const char* label)
    {
        line(inQuotes(name) + " [label=" + inQuotes(label) + ", shape=ellipse]");
    }

    static std::string nodeLabel(const graph::Node& node)
    {
        std::string label = inQuotes(node.name.value);
        label.pop_back();
        const std::string kind = inQuotes(node.kind.empty() ? "?" : node.kind);
        return label + "\\n" + kind.substr(1);
    }

    // Names of nodes hold no '|', so this name is not one of them.
    std::string helperName(const char* what) { return "|" + std::string(what) + std::to_string(++m_helpers); }

    void edgeLines(const graph::Edge& edge)
    {
        if (!edge.waiting && edge.from.size() == 1)
            return arrow(edge.from.front().value, edge.to.value);
        const std::string bar = helperName("wait");
        line(inQuotes(bar)
             + " [label=\"\", shape=box, style=filled, fillcolor=black, width=0.06, height=0.6, "
               "fixedsize=true]");
        for (const NodeId& from : edge.from)
            arrow(from.value, bar, "arrowhead=none");
        arrow(bar, edge.to.value);
    }

    void branchLines(const graph::Branch& branch)
    {
        if (branch.targets) {
            for (const auto& [label, node] : *branch.targets)
                arrow(branch.from.value, node.value, "style=dashed, label=" + inQuotes(label));
            return;
        }
        const std::string any = helperName("any");
        line(inQuotes(any) + " [label=\"any node\", shape=plaintext]");
        arrow(branch.from.value, any, "style=dashed");
    }

    std::string m_text;
    int m_helpers = 0;
};

} // namespace

std::string toDot(const graph::Graph& graph)
{
    return DotWriter().write(graph);
}

} // namespace sg::exchange
