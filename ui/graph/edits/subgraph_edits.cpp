#include "ui/graph/edits/subgraph_edits.h"

#include "core/base/json.h"
#include "core/graph/node_kinds.h"
#include "ui/graph/edits/graph_edits.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sg::ui {
namespace {

using NodeSet = std::set<NodeId>;
using NodeNames = std::vector<std::string>;

bool isEnd(const NodeId& id)
{
    return id.value == graph::kEnd;
}

bool isStart(const NodeId& id)
{
    return id.value == graph::kStart;
}

std::string quoted(const NodeId& id)
{
    return "\"" + id.value + "\"";
}

// The edges by which a run enters and leaves a group of nodes.
struct Border {
    NodeSet entries; // inside
    NodeSet sources; // outside, with an edge to an entry
    NodeSet exits; // inside, with an edge to a target
    NodeSet targets; // outside
    std::string fault;
};

Border borderOf(const graph::Graph& graph, const NodeSet& inside)
{
    Border border;
    std::set<std::pair<NodeId, NodeId>> incoming;
    std::set<std::pair<NodeId, NodeId>> outgoing;
    for (const graph::Edge& edge : graph.edges) {
        const bool toInside = inside.contains(edge.to);
        for (const NodeId& from : edge.from) {
            const bool fromInside = inside.contains(from);
            if (fromInside == toInside)
                continue;
            if (edge.waiting)
                border.fault = "An edge that waits for several nodes leads in or out of them.";
            (toInside ? incoming : outgoing).emplace(from, edge.to);
        }
    }
    for (const auto& [from, to] : incoming) {
        border.sources.insert(from);
        border.entries.insert(to);
    }
    for (const auto& [from, to] : outgoing) {
        border.exits.insert(from);
        border.targets.insert(to);
    }
    for (const graph::Branch& branch : graph.branches) {
        const bool fromInside = inside.contains(branch.from);
        if (fromInside && !branch.targets)
            border.fault = "The branch after " + quoted(branch.from) + " may lead anywhere.";
        for (const auto& [label, target] : branch.targets.value_or(decltype(branch.targets)::value_type()))
            if (fromInside != inside.contains(target))
                border.fault = "The branch after " + quoted(branch.from) + " leads in or out of them.";
    }
    if (!border.fault.empty())
        return border;
    if (border.entries.empty())
        border.fault = "No edge leads to any of them.";
    // A node has one way in, so each source must lead to all entries.
    else if (incoming.size() != border.sources.size() * border.entries.size())
        border.fault = "Runs enter them at several places.";
    else if (outgoing.size() != border.exits.size() * border.targets.size())
        border.fault = "Runs leave them to several places.";
    return border;
}

bool namesOneOf(const Value& list, const NodeSet& nodes)
{
    return list.isList() && std::ranges::any_of(list.asList(), [&](const Value& name) {
               return name.isString() && nodes.contains(NodeId(name.asString()));
           });
}

// A subgraph returns its whole state, so a reducer that adds would add the old part again.
bool addsUp(const graph::Channel& channel)
{
    using graph::Reducer;
    return channel.type == graph::ChannelType::Delta
        || (channel.type == graph::ChannelType::Reduce
            && (channel.reducer == Reducer::Add || channel.reducer == Reducer::Append
                || channel.reducer == Reducer::Concat));
}

std::string channelFault(const graph::Graph& graph)
{
    using graph::ChannelType;
    for (const graph::Channel& channel : graph.channels) {
        const bool isManaged =
            channel.type == ChannelType::RemainingSteps || channel.type == ChannelType::IsLastStep;
        const bool isKnown = channel.type == ChannelType::LastValue || channel.type == ChannelType::AnyValue
            || channel.type == ChannelType::Reduce || channel.type == ChannelType::Delta || isManaged;
        if (!isKnown || (channel.type == ChannelType::Reduce && channel.reducer == graph::Reducer::Mul))
            return "The channel \"" + channel.name + "\" does not mean the same inside of a subgraph.";
    }
    return {};
}

// A jq program that keeps only what the subgraph added; empty if its result can be used as it is.
std::string whatWasAdded(const graph::Graph& graph)
{
    std::string rules;
    for (const graph::Channel& channel : graph.channels) {
        if (!addsUp(channel))
            continue;
        const std::string name = toJson(Value(channel.name));
        const bool isNumber =
            channel.type == graph::ChannelType::Reduce && channel.reducer == graph::Reducer::Add;
        rules += (rules.empty() ? "if" : " elif");
        rules += " .key == " + name + " then .value |= "
            + (isNumber ? "if type == \"number\" then . - ($s[" + name + "] // 0) else .[($s[" + name
                       + "] // [] | length):] end"
                        : ".[($s[" + name + "] // [] | length):]");
    }
    if (rules.empty())
        return {};
    return ".state as $s | .result | with_entries(select(.value != $s[.key]) | " + rules + " else . end)";
}

template<typename List, typename Keep>
void keepNames(List& names, Keep keep)
{
    std::erase_if(names, [&](const std::string& name) { return name != "*" && !keep(NodeId(name)); });
}

graph::Position middleOf(const graph::Graph& graph, const NodeSet& nodes)
{
    graph::Position sum;
    int count = 0;
    for (const auto& [id, place] : graph.layout)
        if (nodes.contains(id)) {
            sum.x += place.x;
            sum.y += place.y;
            ++count;
        }
    return count == 0 ? graph::Position() : graph::Position{ sum.x / count, sum.y / count };
}

graph::Graph innerGraph(const graph::Graph& graph, const NodeSet& inside, const Border& border)
{
    graph::Graph inner;
    inner.channels = graph.channels;
    const auto isInside = [&](const NodeId& id) { return inside.contains(id); };
    std::ranges::copy_if(graph.nodes, std::back_inserter(inner.nodes), isInside, &graph::Node::name);
    for (const NodeId& entry : border.entries)
        inner.edges.push_back({ { NodeId(graph::kStart) }, entry, false });
    for (const graph::Edge& edge : graph.edges)
        if (isInside(edge.to) && std::ranges::all_of(edge.from, isInside))
            inner.edges.push_back(edge);
    for (const NodeId& exit : border.exits)
        inner.edges.push_back({ { exit }, NodeId(graph::kEnd), false });
    std::ranges::copy_if(graph.branches, std::back_inserter(inner.branches), isInside, &graph::Branch::from);
    for (const auto& entry : graph.layout)
        if (isInside(entry.first))
            inner.layout.push_back(entry);
    inner.interruptBefore = graph.interruptBefore;
    inner.interruptAfter = graph.interruptAfter;
    keepNames(inner.interruptBefore, isInside);
    keepNames(inner.interruptAfter, isInside);
    inner.interruptIf = graph.interruptIf;
    for (graph::Conditions* conditions : { &inner.interruptIf.before, &inner.interruptIf.after })
        std::erase_if(*conditions, [&](const auto& each) { return !isInside(NodeId(each.first)); });
    return inner;
}

} // namespace

std::string extractionFault(const graph::Graph& graph, const std::vector<NodeId>& nodes)
{
    NodeSet inside;
    for (const NodeId& id : nodes)
        if (graph.findNode(id))
            inside.insert(id);
    if (inside.empty())
        return "No node is selected.";
    if (const std::string fault = channelFault(graph); !fault.empty())
        return fault;
    for (const graph::Node& node : graph.nodes)
        if (const Value* ends = node.settings.find("ends");
            ends && (inside.contains(node.name) || namesOneOf(*ends, inside)))
            return quoted(node.name) + " says by itself where a run goes on.";
    for (const std::string& name : graph.sandbox.ownSessions)
        if (inside.contains(NodeId(name)))
            return quoted(NodeId(name)) + " has a session of its own, as none inside of a subgraph has.";
    return borderOf(graph, inside).fault;
}

NodeId extractNodes(graph::Graph& graph, const std::vector<NodeId>& nodes)
{
    if (!extractionFault(graph, nodes).empty())
        return {};
    NodeSet inside;
    for (const NodeId& id : nodes)
        if (graph.findNode(id))
            inside.insert(id);
    const Border border = borderOf(graph, inside);
    const graph::Position place = middleOf(graph, inside);
    graph::Node made;
    made.kind = graph::kSubgraphKind;
    made.name = freeNodeName(graph, made.kind);
    made.subgraph = std::make_shared<const graph::Graph>(innerGraph(graph, inside, border));
    if (const std::string out = whatWasAdded(graph); !out.empty())
        made.settings.set("out", Value(out));
    const auto at = std::ranges::find_if(graph.nodes,
                                         [&](const graph::Node& node) { return inside.contains(node.name); });
    const NodeId id = made.name;
    graph.nodes.insert(at, std::move(made));
    removeNodes(graph, { inside.begin(), inside.end() });
    for (const NodeId& from : border.sources)
        graph.edges.push_back({ { from }, id, false });
    for (const NodeId& to : border.targets)
        graph.edges.push_back({ { id }, to, false });
    graph.layout.emplace_back(id, place);
    return id;
}

std::string inliningFault(const graph::Graph& graph, const NodeId& id)
{
    const graph::Node* node = graph.findNode(id);
    if (!node || !node->subgraph)
        return "It is no subgraph.";
    const graph::Graph& inner = *node->subgraph;
    if (node->settings.contains("in") || node->settings.contains("calls"))
        return quoted(id) + " takes something else than the state.";
    if (const Value* out = node->settings.find("out");
        out && !(out->isString() && out->asString() == whatWasAdded(inner)))
        return quoted(id) + " gives something else than its state.";
    if (!node->retry.empty() || node->cache || node->input || node->reads || node->writes || node->defer
        || !node->errorHandler.isNull())
        return quoted(id)
            + " has settings for all its nodes at once: retry, cache, reads, writes or an error handler.";
    if (inner.input || inner.output || inner.checkpointer == graph::Checkpointer::Own)
        return quoted(id) + " has an input, an output or checkpoints of its own.";
    for (const graph::Channel& channel : inner.channels) {
        const graph::Channel* known = graph.findChannel(channel.name);
        if (known && (known->type != channel.type || known->reducer != channel.reducer))
            return "The channel \"" + channel.name + "\" is another one inside.";
        if (!known)
            return "The channel \"" + channel.name + "\" is there only inside.";
    }
    for (const graph::Edge& edge : graph.edges)
        if (edge.waiting && (edge.to == id || std::ranges::find(edge.from, id) != edge.from.end()))
            return "An edge waits for " + quoted(id) + " and others.";
    for (const graph::Branch& branch : graph.branches) {
        if (branch.from == id || !branch.targets)
            return "The branch after " + quoted(branch.from) + " cannot be led on.";
        for (const auto& [label, target] : *branch.targets)
            if (target == id)
                return "The branch after " + quoted(branch.from) + " leads to it.";
    }
    for (const graph::Branch& branch : inner.branches) {
        if (isStart(branch.from) || !branch.targets)
            return "Inside, the branch after " + quoted(branch.from) + " cannot be led on.";
        for (const auto& [label, target] : *branch.targets)
            if (isEnd(target))
                return "Inside, the branch after " + quoted(branch.from) + " leads to the end.";
    }
    for (const graph::Edge& edge : inner.edges)
        if (edge.waiting && isEnd(edge.to))
            return "Inside, an edge to the end waits for several nodes.";
    return {};
}

std::vector<NodeId> inlineSubgraph(graph::Graph& graph, const NodeId& id)
{
    if (!inliningFault(graph, id).empty())
        return {};
    graph::Graph inner = *graph.findNode(id)->subgraph;
    for (const graph::Node& node : std::vector<graph::Node>(inner.nodes)) { // renames those that are taken
        graph::Graph both = graph;
        both.nodes.insert(both.nodes.end(), inner.nodes.begin(), inner.nodes.end());
        if (graph.findNode(node.name) && node.name != id)
            renameNode(inner, node.name, freeNodeName(both, node.name.value));
    }
    NodeSet sources;
    NodeSet targets;
    for (const graph::Edge& edge : graph.edges) {
        if (edge.to == id)
            sources.insert(edge.from.begin(), edge.from.end());
        if (!edge.from.empty() && edge.from.front() == id)
            targets.insert(edge.to);
    }
    NodeSet held;
    for (const graph::Node& node : inner.nodes)
        held.insert(node.name);
    const graph::Position inMiddle = middleOf(inner, held);
    const graph::Position outMiddle = middleOf(graph, { id });
    const auto at = static_cast<std::ptrdiff_t>(std::ranges::find(graph.nodes, id, &graph::Node::name)
                                                - graph.nodes.begin());
    removeNodes(graph, { id });
    graph.nodes.insert(graph.nodes.begin() + at, inner.nodes.begin(), inner.nodes.end());
    for (const graph::Edge& edge : inner.edges) {
        if (!edge.from.empty() && isStart(edge.from.front())) {
            for (const NodeId& from : sources)
                graph.edges.push_back({ { from }, edge.to, false });
        } else if (isEnd(edge.to)) {
            for (const NodeId& to : targets)
                graph.edges.push_back({ edge.from, to, false });
        } else {
            graph.edges.push_back(edge);
        }
    }
    graph.branches.insert(graph.branches.end(), inner.branches.begin(), inner.branches.end());
    for (const auto& [name, place] : inner.layout)
        if (held.contains(name))
            graph.layout.emplace_back(
                name,
                graph::Position{ place.x - inMiddle.x + outMiddle.x, place.y - inMiddle.y + outMiddle.y });
    for (const auto& [from, to] : { std::pair(&inner.interruptBefore, &graph.interruptBefore),
                                    std::pair(&inner.interruptAfter, &graph.interruptAfter) })
        for (const std::string& name : *from)
            if (name != "*" && std::ranges::find(*to, name) == to->end())
                to->push_back(name);
    for (const auto& [from, to] : { std::pair(&inner.interruptIf.before, &graph.interruptIf.before),
                                    std::pair(&inner.interruptIf.after, &graph.interruptIf.after) })
        to->insert(to->end(), from->begin(), from->end());
    for (graph::Note note : inner.notes) { // notes go with the nodes
        note.place.x += outMiddle.x - inMiddle.x;
        note.place.y += outMiddle.y - inMiddle.y;
        graph.notes.push_back(std::move(note));
    }
    return { held.begin(), held.end() };
}

const graph::Graph* graphAt(const graph::Graph& root, const std::vector<NodeId>& path)
{
    const graph::Graph* at = &root;
    for (const NodeId& id : path) {
        const graph::Node* node = at ? at->findNode(id) : nullptr;
        at = node ? node->subgraph.get() : nullptr;
    }
    return at;
}

} // namespace sg::ui
