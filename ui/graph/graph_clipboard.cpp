#include "ui/graph/graph_clipboard.h"

#include "core/graph/graph_file.h"
#include "ui/graph/graph_edits.h"

#include <map>
#include <set>

namespace sg::ui {
namespace {

constexpr std::size_t kMostText = 4U << 20;
constexpr std::size_t kMostNodes = 5000;

// Edges, branches and places between `names`, each end under its new name.
void addBetween(graph::Graph& to, const graph::Graph& from, const std::map<NodeId, NodeId>& names,
                const graph::Position& offset)
{
    for (const graph::Edge& edge : from.edges) {
        graph::Edge copy = edge;
        copy.from.clear();
        for (const NodeId& start : edge.from)
            if (const auto known = names.find(start); known != names.end())
                copy.from.push_back(known->second);
        const auto end = names.find(edge.to);
        if (copy.from.empty() || end == names.end())
            continue;
        copy.to = end->second;
        to.edges.push_back(std::move(copy));
    }
    for (const graph::Branch& branch : from.branches) {
        const auto start = names.find(branch.from);
        if (start == names.end())
            continue;
        graph::Branch copy = branch;
        copy.from = start->second;
        if (copy.targets) {
            std::erase_if(*copy.targets, [&](const auto& target) {
                return target.second.value != graph::kEnd && !names.contains(target.second);
            });
            for (auto& [label, target] : *copy.targets)
                if (target.value != graph::kEnd)
                    target = names.at(target);
        }
        to.branches.push_back(std::move(copy));
    }
    for (const auto& [id, place] : from.layout)
        if (const auto known = names.find(id); known != names.end())
            to.layout.emplace_back(known->second, graph::Position{ place.x + offset.x, place.y + offset.y });
}

} // namespace

std::string textOfNodes(const graph::Graph& graph, const std::vector<NodeId>& nodes)
{
    graph::Graph part;
    std::map<NodeId, NodeId> names;
    for (const NodeId& id : nodes)
        if (const graph::Node* node = graph.findNode(id)) {
            part.nodes.push_back(*node);
            names.emplace(id, id);
        }
    if (part.nodes.empty())
        return {};
    std::set<std::string> channels;
    for (const graph::Node& node : part.nodes)
        for (const auto* used : { &node.reads, &node.writes, &node.input })
            if (*used)
                channels.insert((*used)->begin(), (*used)->end());
    for (const graph::Channel& channel : graph.channels)
        if (channels.contains(channel.name))
            part.channels.push_back(channel);
    addBetween(part, graph, names, {});
    return graph::graphText(part);
}

std::vector<NodeId> pasteNodes(graph::Graph& graph, const std::string& text, const graph::Position& offset)
{
    if (text.size() > kMostText)
        return {};
    auto file = graph::parseGraph(text);
    if (!file || file->graph.nodes.size() > kMostNodes)
        return {};
    std::vector<NodeId> pasted;
    std::map<NodeId, NodeId> names;
    for (const graph::Node& node : file->graph.nodes) {
        graph::Node copy = node;
        copy.name = freeNodeName(graph, node.name.value);
        names.emplace(node.name, copy.name);
        pasted.push_back(copy.name);
        graph.nodes.push_back(std::move(copy));
    }
    for (const graph::Channel& channel : file->graph.channels)
        if (!graph.findChannel(channel.name))
            graph.channels.push_back(channel);
    addBetween(graph, file->graph, names, offset);
    return pasted;
}

} // namespace sg::ui
