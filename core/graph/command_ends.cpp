#include "core/graph/command_ends.h"

#include <algorithm>
#include <set>

namespace sg::graph {

std::vector<CommandEnd> commandEnds(const Graph& graph, const Node& node)
{
    const Value* ends = node.settings.find("ends");
    if (ends == nullptr || !ends->isList() || ends->asList().empty())
        return {};
    std::set<NodeId> drawn;
    for (const Edge& edge : graph.edges)
        if (std::ranges::find(edge.from, node.name) != edge.from.end())
            drawn.insert(edge.to);
    for (const Branch& branch : graph.branches)
        if (branch.from == node.name && branch.targets)
            for (const auto& target : *branch.targets)
                drawn.insert(target.second);
    std::vector<CommandEnd> found;
    const ValueList& names = ends->asList();
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i].isString() && drawn.insert(NodeId(names[i].asString())).second)
            found.push_back({ NodeId(names[i].asString()), i });
    return found;
}

void removeCommandEnd(Node& node, std::size_t index)
{
    const Value* ends = node.settings.find("ends");
    if (ends == nullptr || !ends->isList() || index >= ends->asList().size())
        return;
    ValueList left = ends->asList();
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(index));
    if (left.empty())
        node.settings.erase(Value("ends"));
    else
        node.settings.set("ends", Value(std::move(left)));
}

} // namespace sg::graph
