#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

#include <filesystem>

namespace sg::graph {

// The key by which a subgraph names a file in place of a graph within.
inline constexpr std::string_view kGraphFileKey = "graph_file";

// The graph with what its subgraphs name by files in it, also those of these files; all names are below
// `folder`. For running it: a graph that is saved keeps the names. Errc::InvalidArgument: a file is missing,
// broken, leads out of the folder, or includes itself.
Result<Graph> withIncludedGraphs(const Graph& graph, const std::filesystem::path& folder);

} // namespace sg::graph
