#pragma once

#include "core/graph/graph_file.h"

#include <optional>
#include <vector>

namespace sg::ui {

// A problem as the graph names it that holds its node: a subgraph, down that way from the whole graph.
struct ProblemPlace {
    std::vector<NodeId> path;
    graph::Problem problem; // its pointer begins at that subgraph
};
ProblemPlace placeOf(const graph::Problem& problem, const graph::Graph& whole);
// The problem as the subgraph at the end of that path names it; no code: it stands elsewhere.
graph::Problem problemWithin(const graph::Problem& problem, const graph::Graph& whole,
                             const std::vector<NodeId>& path);
// "/edges/3/1" in "/edges/" → 3
std::optional<std::size_t> indexIn(std::string_view pointer, std::string_view list);

} // namespace sg::ui
