#include "core/engine/compile/graph_check.h"

#include "core/engine/compile/compiled_graph.h"
#include "core/engine/names.h"

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sg::engine {
namespace {

using Found = std::optional<Failure>;
// Holds the names of the nodes and of their error handlers.
struct Names {
    NameIndex index;
    std::deque<std::string> handlers; // the strings that the index refers to
    [[nodiscard]] bool contains(std::string_view name) const { return index.contains(name); }
};

Failure valueError(std::string message)
{
    return { "ValueError", std::move(message) };
}

bool isManaged(const graph::Graph& graph, const std::string& name)
{
    for (const graph::Channel& channel : graph.channels)
        if (channel.name == name)
            return channel.type == graph::ChannelType::RemainingSteps
                || channel.type == graph::ChannelType::IsLastStep;
    return false;
}

Found checkSchemas(const graph::Graph& graph)
{
    using Schema = std::pair<const char*, const std::optional<std::vector<std::string>>*>;
    for (const auto& [schema, keys] : { Schema("Input", &graph.input), Schema("Output", &graph.output) }) {
        std::string managed;
        if (*keys)
            for (const std::string& key : **keys)
                if (isManaged(graph, key))
                    managed += (managed.empty() ? "" : ", ") + key;
        if (!managed.empty())
            return valueError("Invalid managed channels detected in " + std::string(schema) + ": " + managed
                              + ". Managed channels are not permitted in Input/Output schema.");
    }
    return std::nullopt;
}

Found checkNodes(const graph::Graph& graph, Names& nodes)
{
    for (const graph::Node& node : graph.nodes) {
        const std::string& name = node.name.value;
        if (node.subgraph) // LangGraph builds a subgraph before it adds the node
            if (auto found = checkGraph(*node.subgraph))
                return found;
        if (nodes.contains(name))
            return valueError("Node `" + name + "` already present.");
        if (name == kStartNode || name == kEndNode)
            return valueError("Node `" + name + "` is reserved.");
        for (const char character : { '|', ':' })
            if (name.find(character) != std::string::npos)
                return valueError(std::string("'") + character
                                  + "' is a reserved character and is not allowed in the node names.");
        if (!node.errorHandler.isNull())
            nodes.index.add(nodes.handlers.emplace_back(kErrorHandlerPrefix + name), 0);
        nodes.index.add(name, 0);
    }
    return std::nullopt;
}

Found checkEdges(const graph::Graph& graph, const Names& nodes)
{
    for (const graph::Edge& edge : graph.edges) {
        for (const NodeId& from : edge.from) {
            if (from.value == kEndNode)
                return valueError("END cannot be a start node");
            if (edge.waiting && !nodes.contains(from.value))
                return valueError("Need to add_node `" + from.value + "` first");
        }
        if (edge.to.value == kStartNode)
            return valueError("START cannot be an end node");
        if (edge.waiting && edge.to.value != kEndNode && !nodes.contains(edge.to.value))
            return valueError("Need to add_node `" + edge.to.value + "` first");
    }
    return std::nullopt;
}

Found checkSources(const graph::Graph& graph, const Names& nodes)
{
    bool entered = false;
    const auto check = [&](const NodeId& source) -> Found {
        if (source.value == kStartNode)
            entered = true;
        else if (!nodes.contains(source.value))
            return valueError("Found edge starting at unknown node '" + source.value + "'");
        return std::nullopt;
    };
    for (const graph::Edge& edge : graph.edges)
        if (!edge.waiting) // checkEdges() has checked waiting edges
            for (const NodeId& from : edge.from)
                if (auto found = check(from))
                    return found;
    for (const graph::Branch& branch : graph.branches)
        if (auto found = check(branch.from))
            return found;
    if (!entered)
        return valueError("Graph must have an entrypoint: add at least one edge from START to another node");
    return std::nullopt;
}

Found checkTargets(const graph::Graph& graph, const Names& nodes)
{
    const auto known = [&nodes](std::string_view name) { return name == kEndNode || nodes.contains(name); };
    for (std::size_t i = 0; i < graph.branches.size(); ++i) {
        const graph::Branch& branch = graph.branches[i];
        if (!branch.targets)
            continue;
        for (const auto& [label, target] : *branch.targets)
            if (!known(target.value))
                return valueError("At '" + branch.from.value + "' node, 'cond" + std::to_string(i)
                                  + "' branch found unknown target '" + target.value + "'");
    }
    std::vector<std::string_view> targets;
    for (const graph::Edge& edge : graph.edges)
        if (!edge.waiting) // checkEdges() has checked waiting edges
            targets.push_back(edge.to.value);
    for (const graph::Node& node : graph.nodes)
        if (const Value* ends = node.settings.find("ends"); ends != nullptr && ends->isList())
            for (const Value& end : ends->asList())
                if (end.isString())
                    targets.push_back(end.asString());
    for (const std::string_view target : targets)
        if (!known(target))
            return valueError("Found edge ending at unknown node `" + std::string(target) + "`");
    return std::nullopt;
}

bool isEverything(const std::vector<std::string>& names)
{
    return names.size() == 1 && names.front() == "*";
}

Found checkInterrupts(const graph::Graph& graph, const Names& nodes)
{
    if (isEverything(graph.interruptAfter))
        return std::nullopt;
    for (const auto* names : { &graph.interruptBefore, &graph.interruptAfter })
        if (!isEverything(*names))
            for (const std::string& name : *names)
                if (!nodes.contains(name))
                    return valueError("Interrupt node `" + name + "` not found");
    return std::nullopt;
}

} // namespace

Found checkGraph(const graph::Graph& graph)
{
    if (auto found = checkSchemas(graph))
        return found;
    Names nodes;
    nodes.index.reserve(graph.nodes.size());
    if (auto found = checkNodes(graph, nodes))
        return found;
    if (auto found = checkEdges(graph, nodes))
        return found;
    if (auto found = checkSources(graph, nodes))
        return found;
    if (auto found = checkTargets(graph, nodes))
        return found;
    return checkInterrupts(graph, nodes);
}

} // namespace sg::engine
