#include "ui/graph/edits/graph_edits.h"

#include "core/graph/node_kinds.h"
#include "core/graph/validate.h"

#include <algorithm>
#include <set>

namespace sg::ui {
namespace {

using NameList = std::vector<std::string>;

bool isTerminal(const NodeId& id)
{
    return id.value == graph::kStart || id.value == graph::kEnd;
}

void rename(NameList& names, const std::string& from, const std::string& to)
{
    std::ranges::replace(names, from, to);
}

void renameInList(ValueMap& settings, const char* key, const std::string& from, const std::string& to)
{
    const Value* list = settings.find(key);
    if (!list || !list->isList())
        return;
    Value changed = *list;
    for (Value& name : changed.editList())
        if (name.isString() && name.asString() == from)
            name = Value(to);
    settings.set(key, changed);
}

// A list that loses all its names is removed.
template<typename IsGone>
void eraseFromList(ValueMap& settings, const char* key, IsGone isGone)
{
    const Value* list = settings.find(key);
    if (!list || !list->isList())
        return;
    Value changed = *list;
    const auto lost = std::erase_if(changed.editList(), [&](const Value& name) {
        return name.isString() && isGone(NodeId(name.asString()));
    });
    if (lost > 0 && changed.asList().empty())
        settings.erase(Value(key));
    else if (lost > 0)
        settings.set(key, changed);
}

std::shared_ptr<const graph::Graph> firstSubgraph()
{
    graph::Graph inner;
    addNode(inner, std::string(graph::kJqKind), { 120, 0 });
    inner.layout.clear();
    return std::make_shared<const graph::Graph>(std::move(inner));
}

// Tells whether the setting means the same to both kinds; programs do not, as a question's cannot run in a
// transform.
bool isShared(const graph::NodeKind* one, const graph::NodeKind* other, std::string_view key)
{
    const graph::NodeSetting* in = graph::findSetting(one, key);
    const graph::NodeSetting* also = graph::findSetting(other, key);
    return in && also && in->type == also->type && in->type != graph::SettingType::Program;
}

std::string wordFault(const std::string& name, const char* what)
{
    if (name.empty())
        return std::string("A ") + what + " needs a name.";
    if (graph::isReservedName(name))
        return "The engine itself uses \"" + name + "\".";
    const std::string fault = graph::nameFault(name);
    return fault.empty() ? std::string() : "This name " + fault + ".";
}

} // namespace

NodeId freeNodeName(const graph::Graph& graph, const std::string& wanted)
{
    std::set<std::string_view> taken;
    for (const graph::Node& node : graph.nodes)
        taken.insert(node.name.value);
    std::string name = wanted;
    for (int i = 2; taken.contains(name) || graph::isReservedName(name); ++i)
        name = wanted + "_" + std::to_string(i);
    return NodeId(name);
}

std::string freeChannelName(const graph::Graph& graph, const std::string& wanted)
{
    std::string name = wanted;
    for (int i = 2; graph.findChannel(name) || graph::isReservedName(name); ++i)
        name = wanted + "_" + std::to_string(i);
    return name;
}

std::string nodeNameFault(const graph::Graph& graph, const std::string& name, const std::string& self)
{
    if (name == self)
        return {};
    if (graph.findNode(NodeId(name)))
        return "There is a node \"" + name + "\" already.";
    return wordFault(name, "node");
}

std::string channelNameFault(const graph::Graph& graph, const std::string& name, const std::string& self)
{
    if (name == self)
        return {};
    if (graph.findChannel(name))
        return "There is a channel \"" + name + "\" already.";
    return wordFault(name, "channel");
}

NodeId addNode(graph::Graph& graph, const std::string& kind, const graph::Position& place)
{
    const graph::NodeKind* known = graph::findNodeKind(kind);
    graph::Node node;
    node.name = freeNodeName(graph, known ? std::string(known->firstName) : kind.empty() ? "node" : kind);
    node.kind = kind;
    if (known)
        node.settings = graph::firstSettings(*known, node.name);
    if (known && known->holdsGraph)
        node.subgraph = firstSubgraph();
    const NodeId id = node.name;
    const bool isFirst = graph.nodes.empty();
    graph.nodes.push_back(std::move(node));
    graph.layout.emplace_back(id, place);
    if (isFirst && graph.edges.empty() && graph.branches.empty())
        graph.edges.push_back({ { NodeId(graph::kStart) }, id, false });
    return id;
}

void setNodeKind(graph::Graph& graph, const NodeId& id, const std::string& kind)
{
    graph::Node* node = nodeIn(graph, id);
    if (!node || node->kind == kind)
        return;
    const graph::NodeKind* before = graph::findNodeKind(node->kind);
    const graph::NodeKind* after = graph::findNodeKind(kind);
    ValueMap kept;
    for (const auto& [key, value] : node->settings) {
        const std::string_view name = key.isString() ? std::string_view(key.asString()) : std::string_view();
        if (isShared(before, after, name) || !graph::isSettingOfAnyKind(name))
            kept.set(key, value);
    }
    if (after)
        for (const auto& [key, value] : graph::firstSettings(*after, node->name))
            if (!kept.contains(key.asString()))
                kept.set(key, value);
    node->settings = std::move(kept);
    node->kind = kind;
    node->subgraph = after && after->holdsGraph ? firstSubgraph() : nullptr;
}

void removeNodes(graph::Graph& graph, const std::vector<NodeId>& nodes)
{
    const std::set<NodeId> gone(nodes.begin(), nodes.end());
    const auto isGone = [&](const NodeId& id) { return !isTerminal(id) && gone.contains(id); };
    std::erase_if(graph.nodes, [&](const graph::Node& node) { return isGone(node.name); });
    for (graph::Edge& edge : graph.edges)
        std::erase_if(edge.from, isGone);
    std::erase_if(graph.edges, [&](const graph::Edge& edge) { return edge.from.empty() || isGone(edge.to); });
    const auto isGoneTarget = [&](const auto& target) { return isGone(target.second); };
    std::erase_if(graph.branches, [&](const graph::Branch& branch) {
        return isGone(branch.from)
            || (branch.targets && !branch.targets->empty()
                && std::ranges::all_of(*branch.targets, isGoneTarget));
    });
    for (graph::Branch& branch : graph.branches)
        if (branch.targets)
            std::erase_if(*branch.targets, isGoneTarget);
    for (graph::Node& node : graph.nodes)
        eraseFromList(node.settings, "ends", isGone);
    std::erase_if(graph.sandbox.ownSessions, [&](const std::string& name) { return isGone(NodeId(name)); });
    std::erase_if(graph.layout, [&](const auto& entry) { return isGone(entry.first); });
    for (NameList* names : { &graph.interruptBefore, &graph.interruptAfter })
        std::erase_if(*names, [&](const std::string& name) { return isGone(NodeId(name)); });
    for (graph::Conditions* conditions : { &graph.interruptIf.before, &graph.interruptIf.after })
        std::erase_if(*conditions, [&](const auto& each) { return isGone(NodeId(each.first)); });
}

void renameNode(graph::Graph& graph, const NodeId& from, const NodeId& to)
{
    graph::Node* node = nodeIn(graph, from);
    if (!node || from == to)
        return;
    node->name = to;
    renameReferences(graph, from, to);
    for (auto& [id, place] : graph.layout)
        if (id == from)
            id = to;
}

void renameReferences(graph::Graph& graph, const NodeId& from, const NodeId& to)
{
    for (graph::Node& other : graph.nodes)
        renameInList(other.settings, "ends", from.value, to.value);
    for (graph::Edge& edge : graph.edges) {
        std::ranges::replace(edge.from, from, to);
        if (edge.to == from)
            edge.to = to;
    }
    for (graph::Branch& branch : graph.branches) {
        if (branch.from == from)
            branch.from = to;
        if (branch.targets)
            for (auto& [label, target] : *branch.targets)
                if (target == from)
                    target = to;
    }
    rename(graph.interruptBefore, from.value, to.value);
    rename(graph.interruptAfter, from.value, to.value);
    for (graph::Conditions* conditions : { &graph.interruptIf.before, &graph.interruptIf.after })
        for (auto& [node, program] : *conditions)
            if (node == from.value)
                node = to.value;
    std::ranges::replace(graph.sandbox.ownSessions, from.value, to.value);
}

void moveNodes(graph::Graph& graph, const std::vector<std::pair<NodeId, graph::Position>>& places)
{
    for (const auto& [id, place] : places) {
        const auto known = std::ranges::find(graph.layout, id, &std::pair<NodeId, graph::Position>::first);
        if (known != graph.layout.end())
            known->second = { place.x, place.y, known->second.pinned };
        else if (isTerminal(id) || graph.findNode(id))
            graph.layout.emplace_back(id, place);
    }
}

bool isPinned(const graph::Graph& graph, const NodeId& node)
{
    const auto place = std::ranges::find(graph.layout, node, &std::pair<NodeId, graph::Position>::first);
    return place != graph.layout.end() && place->second.pinned;
}

void pinNodes(graph::Graph& graph, const std::vector<std::pair<NodeId, graph::Position>>& places)
{
    moveNodes(graph, places);
    for (const auto& [id, place] : places) {
        const auto known = std::ranges::find(graph.layout, id, &std::pair<NodeId, graph::Position>::first);
        if (known != graph.layout.end())
            known->second.pinned = place.pinned;
    }
}

bool hasBreakpoint(const graph::Graph& graph, const NodeId& node, Breakpoint where)
{
    const NameList& names = where == Breakpoint::Before ? graph.interruptBefore : graph.interruptAfter;
    return std::ranges::find(names, node.value) != names.end()
        || std::ranges::find(names, "*") != names.end();
}

void toggleBreakpoint(graph::Graph& graph, const NodeId& node, Breakpoint where)
{
    NameList& names = where == Breakpoint::Before ? graph.interruptBefore : graph.interruptAfter;
    const bool had = hasBreakpoint(graph, node, where);
    if (std::ranges::find(names, "*") != names.end()) { // it means all: replaced by their names
        names.clear();
        for (const graph::Node& other : graph.nodes)
            names.push_back(other.name.value);
    }
    if (had) {
        std::erase(names, node.value);
        setBreakCondition(graph, node, where, {});
    } else if (graph.findNode(node)) {
        names.push_back(node.value);
    }
}

std::string breakCondition(const graph::Graph& graph, const NodeId& node, Breakpoint where)
{
    const auto& conditions = where == Breakpoint::Before ? graph.interruptIf.before : graph.interruptIf.after;
    const auto found = std::ranges::find(conditions, node.value, &graph::Conditions::value_type::first);
    return found == conditions.end() ? std::string() : found->second;
}

void setBreakCondition(graph::Graph& graph, const NodeId& node, Breakpoint where, const std::string& program)
{
    auto& conditions = where == Breakpoint::Before ? graph.interruptIf.before : graph.interruptIf.after;
    const auto found = std::ranges::find(conditions, node.value, &graph::Conditions::value_type::first);
    if (program.empty() && found != conditions.end())
        conditions.erase(found);
    else if (found != conditions.end())
        found->second = program;
    else if (!program.empty())
        conditions.emplace_back(node.value, program);
}

graph::Node* nodeIn(graph::Graph& graph, const NodeId& id)
{
    const auto found = std::ranges::find(graph.nodes, id, &graph::Node::name);
    return found == graph.nodes.end() ? nullptr : &*found;
}

graph::Channel* channelIn(graph::Graph& graph, const std::string& name)
{
    const auto found = std::ranges::find(graph.channels, name, &graph::Channel::name);
    return found == graph.channels.end() ? nullptr : &*found;
}

std::string addChannel(graph::Graph& graph, const std::string& wanted)
{
    graph::Channel channel;
    channel.name = freeChannelName(graph, wanted);
    graph.channels.push_back(channel);
    return channel.name;
}

void removeChannel(graph::Graph& graph, const std::string& name)
{
    std::erase_if(graph.channels, [&](const graph::Channel& channel) { return channel.name == name; });
    for (graph::Node& node : graph.nodes)
        for (auto* names : { &node.reads, &node.writes, &node.input })
            if (*names)
                std::erase(**names, name);
    for (auto* names : { &graph.input, &graph.output })
        if (*names)
            std::erase(**names, name);
}

void renameChannel(graph::Graph& graph, const std::string& from, const std::string& to)
{
    graph::Channel* channel = channelIn(graph, from);
    if (!channel || from == to)
        return;
    channel->name = to;
    for (graph::Node& node : graph.nodes) {
        for (auto* names : { &node.reads, &node.writes, &node.input })
            if (*names)
                rename(**names, from, to);
        const Value* takes = node.settings.find("channel");
        if (takes && takes->isString() && takes->asString() == from)
            node.settings.set("channel", Value(to));
    }
    for (auto* names : { &graph.input, &graph.output })
        if (*names)
            rename(**names, from, to);
}

} // namespace sg::ui
