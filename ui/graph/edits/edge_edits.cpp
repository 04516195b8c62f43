#include "ui/graph/edits/graph_edits.h"

#include <algorithm>
#include <set>

// Edits of edges, waiting edges and the outcomes of branches.
namespace sg::ui {
namespace {

graph::Branch* branchWithTargets(graph::Graph& graph, const NodeId& from)
{
    const auto found = std::ranges::find_if(graph.branches, [&](const graph::Branch& branch) {
        return branch.from == from && branch.targets.has_value();
    });
    return found == graph.branches.end() ? nullptr : &*found;
}

bool hasLabel(const graph::Branch& branch, const std::string& label)
{
    return std::ranges::any_of(*branch.targets, [&](const auto& target) { return target.first == label; });
}

std::string freeLabel(const graph::Branch& branch, const NodeId& to)
{
    const std::string wanted = to.value == graph::kEnd ? "end" : to.value;
    std::string label = wanted;
    for (int i = 2; hasLabel(branch, label); ++i)
        label = wanted + " " + std::to_string(i);
    return label;
}

bool isPlain(const graph::Edge& edge, const NodeId& from)
{
    return !edge.waiting && edge.from.size() == 1 && edge.from.front() == from;
}

} // namespace

namespace {

// Faults of the ends alone, whatever edges exist.
std::string endsFault(const std::vector<NodeId>& from, const NodeId& to)
{
    if (to.value == graph::kStart)
        return "Nothing leads back to the start: a run begins there.";
    for (const NodeId& id : from)
        if (id.value == graph::kEnd)
            return "Nothing follows the end.";
    if (from.size() == 1 && from.front().value == graph::kStart && to.value == graph::kEnd)
        return "A run needs a node between start and end.";
    if (from.size() > 1
        && std::ranges::any_of(from, [](const NodeId& id) { return id.value == graph::kStart; }))
        return "A waiting edge starts at nodes, not at the start.";
    return {};
}

} // namespace

std::string connectionFault(const graph::Graph& graph, const std::vector<NodeId>& from, const NodeId& to)
{
    return connectionFaults(graph, from, { to }).front();
}

std::vector<std::string> connectionFaults(const graph::Graph& graph, const std::vector<NodeId>& from,
                                          const std::vector<NodeId>& ends)
{
    std::set<NodeId> connected;
    for (const graph::Edge& edge : graph.edges)
        if (edge.from == from && edge.waiting == (from.size() > 1))
            connected.insert(edge.to);
    std::vector<std::string> faults;
    faults.reserve(ends.size());
    for (const NodeId& to : ends) {
        faults.push_back(endsFault(from, to));
        if (faults.back().empty() && connected.contains(to))
            faults.back() = "They are connected already.";
    }
    return faults;
}

void connectNodes(graph::Graph& graph, const std::vector<NodeId>& from, const NodeId& to)
{
    if (from.empty() || !connectionFault(graph, from, to).empty())
        return;
    if (graph::Branch* branch = from.size() == 1 ? branchWithTargets(graph, from.front()) : nullptr)
        branch->targets->emplace_back(freeLabel(*branch, to), to);
    else
        graph.edges.push_back({ from, to, from.size() > 1 });
}

void removeEdge(graph::Graph& graph, std::size_t edge, const NodeId& from)
{
    if (edge >= graph.edges.size())
        return;
    std::erase(graph.edges[edge].from, from);
    if (graph.edges[edge].from.empty())
        graph.edges.erase(graph.edges.begin() + static_cast<std::ptrdiff_t>(edge));
}

void addBranch(graph::Graph& graph, const NodeId& from)
{
    graph::Branch branch;
    branch.from = from;
    branch.targets.emplace();
    for (const graph::Edge& edge : graph.edges)
        if (isPlain(edge, from))
            branch.targets->emplace_back(freeLabel(branch, edge.to), edge.to);
    std::erase_if(graph.edges, [&](const graph::Edge& edge) { return isPlain(edge, from); });
    const std::string first = branch.targets->empty() ? std::string("end") : branch.targets->front().first;
    if (branch.targets->empty())
        branch.targets->emplace_back(first, NodeId(graph::kEnd));
    branch.settings.set("jq", Value("\"" + first + "\""));
    graph.branches.push_back(std::move(branch));
}

void removeBranch(graph::Graph& graph, std::size_t branch)
{
    if (branch < graph.branches.size())
        graph.branches.erase(graph.branches.begin() + static_cast<std::ptrdiff_t>(branch));
}

void removeTarget(graph::Graph& graph, std::size_t branch, std::size_t target)
{
    if (branch >= graph.branches.size())
        return;
    auto& targets = graph.branches[branch].targets;
    if (!targets || target >= targets->size())
        return;
    targets->erase(targets->begin() + static_cast<std::ptrdiff_t>(target));
    if (targets->empty()) // the branch leads nowhere now
        removeBranch(graph, branch);
}

void setTargetLabel(graph::Graph& graph, std::size_t branch, std::size_t target, const std::string& label)
{
    if (branch >= graph.branches.size() || label.empty())
        return;
    graph::Branch& changed = graph.branches[branch];
    if (changed.targets && target < changed.targets->size() && !hasLabel(changed, label))
        (*changed.targets)[target].first = label;
}

void setTarget(graph::Graph& graph, std::size_t branch, std::size_t target, const NodeId& to)
{
    if (branch >= graph.branches.size() || to.value == graph::kStart)
        return;
    auto& targets = graph.branches[branch].targets;
    if (targets && target < targets->size())
        (*targets)[target].second = to;
}

void addTarget(graph::Graph& graph, std::size_t branch)
{
    if (branch >= graph.branches.size())
        return;
    graph::Branch& changed = graph.branches[branch];
    if (!changed.targets)
        changed.targets.emplace();
    const NodeId end(graph::kEnd);
    changed.targets->emplace_back(freeLabel(changed, end), end);
}

void allowAnyTarget(graph::Graph& graph, std::size_t branch)
{
    if (branch < graph.branches.size())
        graph.branches[branch].targets.reset();
}

void setEdgeTarget(graph::Graph& graph, std::size_t edge, const NodeId& to)
{
    if (edge < graph.edges.size() && connectionFault(graph, graph.edges[edge].from, to).empty())
        graph.edges[edge].to = to;
}

void setStarts(graph::Graph& graph, std::size_t edge, const std::vector<std::string>& from)
{
    if (edge >= graph.edges.size() || from.empty())
        return;
    std::vector<NodeId> starts;
    for (const std::string& name : from) {
        const NodeId id(name);
        if (!graph.findNode(id))
            return;
        if (std::ranges::find(starts, id) == starts.end())
            starts.push_back(id);
    }
    graph.edges[edge].from = std::move(starts);
}

} // namespace sg::ui
