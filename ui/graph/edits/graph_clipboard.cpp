#include "ui/graph/edits/graph_clipboard.h"

#include "core/graph/graph_file.h"
#include "core/graph/node_kinds.h"
#include "ui/graph/edits/graph_edits.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace sg::ui {
namespace {

constexpr std::size_t kMostText = 4U << 20;
constexpr std::size_t kMostNodes = 5000;

// Adds the edges, branches and places between the nodes in `names`, each end under its new name.
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
            if (copy.targets->empty())
                continue;
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

// `offset`, or the smallest multiple of it with which no place falls on a taken one.
graph::Position freeOffset(const graph::Graph& graph, const graph::Graph& part,
                           const std::map<NodeId, NodeId>& names, const graph::Position& offset)
{
    std::set<std::pair<double, double>> taken;
    for (const auto& [id, place] : graph.layout)
        taken.emplace(std::round(place.x), std::round(place.y));
    graph::Position free = offset;
    const auto isTaken = [&](const auto& entry) {
        return names.contains(entry.first)
            && taken.contains({ std::round(entry.second.x + free.x), std::round(entry.second.y + free.y) });
    };
    const bool moves = offset.x != 0 || offset.y != 0;
    for (std::size_t i = 0; moves && i < kMostNodes && std::ranges::any_of(part.layout, isTaken); ++i)
        free = { free.x + offset.x, free.y + offset.y };
    return free;
}

void addName(std::set<std::string>& names, const Value* name)
{
    if (name && name->isString() && !name->asString().empty())
        names.insert(name->asString());
}

void addChannels(std::set<std::string>& names, const graph::NodeSetting& setting, const Value* value)
{
    if (setting.type == graph::SettingType::ChannelName)
        addName(names, value);
    if (setting.type == graph::SettingType::ChannelNames && value && value->isList())
        for (const Value& name : value->asList())
            addName(names, &name);
}

} // namespace

std::vector<NodeId> duplicateNodes(graph::Graph& graph, const std::vector<NodeId>& nodes,
                                   const graph::Position& offset)
{
    const graph::Graph before = graph;
    std::vector<NodeId> copies;
    std::map<NodeId, NodeId> names;
    for (const NodeId& id : nodes) {
        const graph::Node* node = before.findNode(id);
        if (!node)
            continue;
        graph::Node copy = *node;
        copy.name = freeNodeName(graph, id.value);
        copies.push_back(copy.name);
        names.emplace(id, copy.name);
        auto& own = graph.sandbox.ownSessions;
        if (std::ranges::find(own, id.value) != own.end())
            own.push_back(copy.name.value);
        graph.nodes.push_back(std::move(copy));
    }
    addBetween(graph, before, names, freeOffset(before, before, names, offset));
    return copies;
}

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
    for (const graph::Node& node : part.nodes) {
        for (const auto* used : { &node.reads, &node.writes, &node.input })
            if (*used)
                channels.insert((*used)->begin(), (*used)->end());
        if (const graph::NodeKind* kind = graph::findNodeKind(node.kind))
            for (const graph::NodeSetting& setting : kind->settings)
                addChannels(channels, setting, node.settings.find(setting.key));
    }
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
    addBetween(graph, file->graph, names, freeOffset(graph, file->graph, names, offset));
    return pasted;
}

} // namespace sg::ui
