#include "ui/shell/canvas/problem_place.h"

#include "ui/graph/scene/node_marks.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace sg::ui {

std::optional<std::size_t> indexIn(std::string_view pointer, std::string_view list)
{
    if (!pointer.starts_with(list))
        return std::nullopt;
    pointer.remove_prefix(list.size());
    std::size_t index = 0;
    const auto [end, failed] = std::from_chars(pointer.data(), pointer.data() + pointer.size(), index);
    return failed == std::errc() && end != pointer.data() ? std::optional(index) : std::nullopt;
}

graph::Problem problemWithin(const graph::Problem& problem, const graph::Graph& whole,
                             const std::vector<NodeId>& path)
{
    graph::Problem within = problem;
    const graph::Graph* around = &whole;
    for (const NodeId& id : path) {
        const auto node = std::ranges::find(around->nodes, id, &graph::Node::name);
        if (node == around->nodes.end() || !node->subgraph)
            return {};
        const std::string prefix = "/nodes/" + std::to_string(node - around->nodes.begin()) + "/graph";
        if (!within.pointer.starts_with(prefix + "/"))
            return {};
        within.pointer.erase(0, prefix.size());
        around = node->subgraph.get();
    }
    return within;
}

ProblemPlace placeOf(const graph::Problem& problem, const graph::Graph& whole)
{
    ProblemPlace place{ {}, problem };
    std::string& pointer = place.problem.pointer;
    graph::Graph inner = whole;
    for (NodeId node = nodeOf(place.problem, inner); !node.empty(); node = nodeOf(place.problem, inner)) {
        const std::size_t at = pointer.find("/graph/");
        const graph::Node* holder = inner.findNode(node);
        if (at == std::string::npos || !holder || !holder->subgraph
            || pointer.find('/', std::string_view("/nodes/").size()) != at)
            break;
        place.path.push_back(node);
        pointer.erase(0, at + std::string_view("/graph").size());
        inner = graph::Graph(*holder->subgraph);
    }
    return place;
}

} // namespace sg::ui
