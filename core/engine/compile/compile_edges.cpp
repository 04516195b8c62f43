#include "core/engine/channels/barrier.h"
#include "core/engine/compile/lowering.h"

#include <algorithm>

namespace sg::engine {
namespace {

CompiledNode& nodeNamed(CompiledGraph& graph, const NodeId& name)
{
    return graph.nodes[static_cast<std::size_t>(*graph.findNode(name.value))];
}

void addPlainEdge(const graph::Edge& edge, CompiledGraph& graph)
{
    const std::int32_t channel = nodeNamed(graph, edge.to).triggers.front();
    for (const NodeId& from : edge.from) {
        Writes& writes = nodeNamed(graph, from).staticWrites;
        if (std::ranges::find(writes, channel, &Write::channel) != writes.end())
            continue; // the same edge twice is one edge
        writes.push_back({ .channel = channel });
        if (from.value != kStartNode)
            graph.plainEdges.emplace_back(from.value, edge.to.value);
    }
}

std::string joinChannel(const graph::Edge& edge)
{
    std::size_t size = edge.to.value.size() + 6;
    for (const NodeId& from : edge.from)
        size += from.value.size() + 1;
    std::string name;
    name.reserve(size);
    name += "join:";
    for (const NodeId& from : edge.from)
        (name += &from == edge.from.data() ? "" : "+") += from.value;
    return (name += ':') += edge.to.value;
}

void addWaitingEdge(const graph::Edge& edge, CompiledGraph& graph)
{
    Value key(joinChannel(edge));
    if (graph.findChannel(key.asString()))
        return;
    const auto channel = static_cast<std::int32_t>(graph.channels.size());
    std::vector<Value> names;
    names.reserve(edge.from.size());
    for (const NodeId& from : edge.from) {
        CompiledNode& start = nodeNamed(graph, from);
        names.push_back(start.key);
        start.staticWrites.push_back({ channel, start.key, {} });
    }
    CompiledNode& to = nodeNamed(graph, edge.to);
    to.triggers.push_back(channel);
    const bool deferred = graph.channel(to.triggers.front()).traits.finishes;
    addChannel(graph, key, makeBarrier(key, std::move(names), deferred),
               { .clearsItself = false, .finishes = deferred, .sticky = false });
}

std::size_t sourcesOf(const graph::Graph& graph)
{
    std::size_t sources = 0;
    for (const graph::Edge& edge : graph.edges)
        sources += edge.from.size();
    return sources;
}

} // namespace

std::string branchChannel(const std::string& node)
{
    return "branch:to:" + node;
}

void addEdges(const graph::Graph& source, CompiledGraph& graph)
{
    // Most graphs have about as many edges as nodes, or each node as many as the others.
    const std::size_t usual = sourcesOf(source) / std::max<std::size_t>(graph.nodes.size(), 1) + 1;
    for (CompiledNode& node : graph.nodes)
        node.staticWrites.reserve(usual);
    for (const graph::Edge& edge : source.edges)
        if (!edge.waiting && edge.to.value != kEndNode)
            addPlainEdge(edge, graph);
    for (const graph::Edge& edge : source.edges)
        if (edge.waiting && edge.to.value != kEndNode)
            addWaitingEdge(edge, graph);
}

} // namespace sg::engine
