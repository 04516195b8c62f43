#include "ui/graph/edits/quick_fixes.h"

#include "core/graph/graph_value.h"
#include "core/graph/near_name.h"
#include "ui/graph/edits/graph_edits.h"

#include <QCoreApplication>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

namespace sg::ui {
namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("QuickFix", text);
}

QString text(const std::string& text)
{
    return QString::fromStdString(text);
}

// The tokens of a JSON pointer, unescaped (RFC 6901).
std::vector<std::string> tokensOf(std::string_view pointer)
{
    std::vector<std::string> tokens;
    for (const char letter : pointer) {
        if (letter == '/')
            tokens.emplace_back();
        else if (tokens.empty())
            return {};
        else if (!tokens.back().empty() && tokens.back().back() == '~' && (letter == '0' || letter == '1'))
            tokens.back().back() = letter == '0' ? '~' : '/';
        else
            tokens.back() += letter;
    }
    return tokens;
}

std::optional<std::size_t> indexOf(const std::string& token)
{
    std::size_t index = 0;
    const auto [end, failed] = std::from_chars(token.data(), token.data() + token.size(), index);
    return failed == std::errc() && end == token.data() + token.size() ? std::optional(index) : std::nullopt;
}

// A graph with its file's value, which is made only if a fix needs it.
class Checked {
public:
    explicit Checked(const graph::Graph& graph)
        : m_graph(graph)
    {
    }
    [[nodiscard]] const graph::Graph& graph() const { return m_graph; }
    const Value& value()
    {
        if (!m_value)
            m_value = graph::graphValue(m_graph);
        return *m_value;
    }

private:
    const graph::Graph& m_graph;
    std::optional<Value> m_value;
};

std::string nameAt(Checked& checked, const std::vector<std::string>& tokens)
{
    const Value* at = &checked.value();
    for (const std::string& token : tokens) {
        const auto index = indexOf(token);
        if (at->isMap())
            at = at->asMap().find(Value(token));
        else if (at->isList() && index && *index < at->asList().size())
            at = &(*at)[*index];
        else
            return {};
        if (at == nullptr)
            return {};
    }
    return at->isString() ? at->asString() : std::string();
}

std::optional<QuickFix> addMissingChannel(const std::string& name)
{
    if (name.empty())
        return std::nullopt;
    return QuickFix{ tr("Add channel '%1'").arg(text(name)),
                     [name](graph::Graph& graph) { addChannel(graph, name); } };
}

// Replaces an unknown name in edges, targets and lists of names by the node that was probably meant.
std::optional<QuickFix> renameReference(const graph::Graph& graph, const std::string& name)
{
    std::vector<std::string_view> nodes;
    for (const graph::Node& node : graph.nodes)
        nodes.push_back(node.name.value);
    const auto near = graph::nearName(name, nodes);
    if (name.empty() || !near)
        return std::nullopt;
    return QuickFix{ tr("Change '%1' to '%2'").arg(text(name), text(std::string(*near))),
                     [from = NodeId(name), to = NodeId(std::string(*near))](graph::Graph& changed) {
                         renameReferences(changed, from, to);
                     } };
}

std::optional<QuickFix> connectFromStart(const NodeId& node)
{
    return QuickFix{ tr("Start with '%1'").arg(text(node.value)),
                     [node](graph::Graph& graph) { connectNodes(graph, { NodeId(graph::kStart) }, node); } };
}

std::optional<QuickFix> connectToEnd(const NodeId& node)
{
    return QuickFix{ tr("Connect '%1' to the end").arg(text(node.value)),
                     [node](graph::Graph& graph) { connectNodes(graph, { node }, NodeId(graph::kEnd)); } };
}

std::optional<QuickFix> dropEdge(const graph::Graph& graph, const std::vector<std::string>& tokens)
{
    const auto index = tokens.size() == 2 && tokens[0] == "edges" ? indexOf(tokens[1]) : std::nullopt;
    if (!index || *index >= graph.edges.size())
        return std::nullopt;
    const auto same = [&](const graph::Edge& other) {
        return other.from == graph.edges[*index].from && other.to == graph.edges[*index].to;
    };
    if (std::count_if(graph.edges.begin(), graph.edges.end(), same) < 2)
        return std::nullopt; // the problem belongs to another version of the graph
    return QuickFix{ tr("Remove the second one"), [index = *index](graph::Graph& changed) {
                        if (index < changed.edges.size())
                            changed.edges.erase(changed.edges.begin() + static_cast<std::ptrdiff_t>(index));
                    } };
}

std::optional<QuickFix> storeChanges(const graph::Graph& graph, const std::vector<std::string>& tokens)
{
    const std::string name = tokens.size() == 2 ? tokens[1] : std::string();
    for (const graph::Channel& channel : graph.channels)
        if (channel.name == name && graph::maySaveChanges(channel))
            return QuickFix{ tr("Store what was added"), [name](graph::Graph& changed) {
                                if (graph::Channel* found = channelIn(changed, name))
                                    found->storage = graph::ChannelStorage::Delta;
                            } };
    return std::nullopt;
}

std::optional<QuickFix> startAtFirstWrite(const std::vector<std::string>& tokens)
{
    if (tokens.size() != 2)
        return std::nullopt;
    return QuickFix{ tr("Start with the first write"), [name = tokens[1]](graph::Graph& graph) {
                        if (graph::Channel* channel = channelIn(graph, name)) {
                            channel->hasDefault = true;
                            channel->defaultValue = Value();
                        }
                    } };
}

std::optional<QuickFix> fixOf(Checked& checked, const graph::Problem& problem)
{
    const graph::Graph& graph = checked.graph();
    const std::vector<std::string> tokens = tokensOf(problem.pointer);
    if (problem.code == "unknown-channel")
        return addMissingChannel(nameAt(checked, tokens));
    if (problem.code == "undeclared-channel" && tokens.size() == 2) // not in a subgraph, which has its own
        return addMissingChannel(tokens[1]);
    if (problem.code == "unknown-node")
        return renameReference(graph, nameAt(checked, tokens));
    if (problem.code == "missing-entry" && tokens.empty() && !graph.nodes.empty())
        return connectFromStart(graph.nodes.front().name);
    if ((problem.code == "unreachable-node" || problem.code == "dead-end") && tokens.size() == 2)
        if (const auto index = indexOf(tokens[1]); index && *index < graph.nodes.size())
            return problem.code == "dead-end" ? connectToEnd(graph.nodes[*index].name)
                                              : connectFromStart(graph.nodes[*index].name);
    if (problem.code == "duplicate-edge")
        return dropEdge(graph, tokens);
    if (problem.code == "growing-list")
        return storeChanges(graph, tokens);
    if (problem.code == "starts-at-zero")
        return startAtFirstWrite(tokens);
    return std::nullopt;
}

} // namespace

std::optional<QuickFix> quickFixOf(const graph::Graph& graph, const graph::Problem& problem)
{
    Checked checked(graph);
    return fixOf(checked, problem);
}

QStringList quickFixTitles(const graph::Graph& graph, const std::vector<graph::Problem>& problems)
{
    Checked checked(graph);
    QStringList titles;
    for (const graph::Problem& problem : problems) {
        const auto fix = fixOf(checked, problem);
        titles << (fix ? fix->title : QString());
    }
    return titles;
}

} // namespace sg::ui
