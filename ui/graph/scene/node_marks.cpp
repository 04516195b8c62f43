#include "ui/graph/scene/node_marks.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace sg::ui {

namespace {

// "/nodes/3/jq" gives 3 for the list "/nodes/"; other pointers give nothing.
std::optional<std::size_t> indexIn(std::string_view pointer, std::string_view list)
{
    if (!pointer.starts_with(list))
        return std::nullopt;
    pointer.remove_prefix(list.size());
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(pointer.data(), pointer.data() + pointer.size(), index);
    return error == std::errc() && end != pointer.data() ? std::optional(index) : std::nullopt;
}

bool names(const std::vector<std::string>& list, const NodeId& node)
{
    return std::find(list.begin(), list.end(), node.value) != list.end()
        || std::find(list.begin(), list.end(), "*") != list.end();
}

} // namespace

NodeId nodeOf(const graph::Problem& problem, const graph::Graph& graph)
{
    if (const auto index = indexIn(problem.pointer, "/nodes/"); index && *index < graph.nodes.size())
        return graph.nodes[*index].name;
    if (const auto index = indexIn(problem.pointer, "/branches/"); index && *index < graph.branches.size())
        return graph.branches[*index].from;
    if (const auto index = indexIn(problem.pointer, "/edges/"); index && *index < graph.edges.size())
        return graph.edges[*index].from.empty() ? NodeId() : graph.edges[*index].from.front();
    return {};
}

void addMarks(NodeStates& states, const graph::Graph& graph, const std::vector<graph::Problem>& problems)
{
    for (const graph::Node& node : graph.nodes) {
        if (names(graph.interruptBefore, node.name))
            states[node.name].breakpointBefore = true;
        if (names(graph.interruptAfter, node.name))
            states[node.name].breakpointAfter = true;
    }
    for (const auto& [id, place] : graph.layout)
        if (place.pinned && graph.findNode(id))
            states[id].isHeld = true;
    for (const auto* conditions : { &graph.interruptIf.before, &graph.interruptIf.after })
        for (const auto& [node, program] : *conditions)
            if (const auto state = states.find(NodeId(node));
                state != states.end() && (state->second.breakpointBefore || state->second.breakpointAfter))
                state->second.breakCondition = QString::fromStdString(program);
    for (const graph::Problem& problem : problems) {
        const NodeId id = nodeOf(problem, graph);
        if (id.empty() || problem.severity == graph::Problem::Severity::Hint // the list tells of those
            || problem.code == "dead-end") // of every graph while it is being built
            continue;
        NodeState& state = states[id];
        const bool warning = problem.severity != graph::Problem::Severity::Error;
        if (!state.problem.isEmpty() && (warning || !state.problemIsWarning))
            continue;
        state.problem = QString::fromStdString(problem.message);
        state.problemIsWarning = warning;
    }
}

} // namespace sg::ui
