#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

#include <filesystem>
#include <optional>
#include <string>

namespace sg::graph {

// The key by which a subgraph names a file in place of a graph within.
inline constexpr std::string_view kGraphFileKey = "graph_file";

// A graph file that an agent calls as a tool: "research.graph.json", or {"tool": "research.graph.json", …}.
struct GraphTool {
    std::string name; // its own, else made of the file's
    std::string file;
    std::string in; // jq: makes the graph's input of the arguments; empty: they are it
    std::string out; // jq: makes the result of the graph's output; empty: it is it
};
// nullopt: the entry of an agent's "tools" is no graph file.
std::optional<GraphTool> graphToolOf(const Value& entry);

// The channels of the graph that an agent's subgraph is after withIncludedGraphs(): it runs the node of the
// tool that is named in `tool` on `input`, and leaves its result.
namespace tool_graph {
inline constexpr const char* kTool = "tool";
inline constexpr const char* kInput = "input";
inline constexpr const char* kResult = "result";
} // namespace tool_graph

// The graph with what its subgraphs and agents name by files in it, also those of these files; all names are
// below `folder`. For running it: a graph that is saved keeps the names. Errc::InvalidArgument: a file is
// missing, broken, leads out of the folder, or includes itself.
Result<Graph> withIncludedGraphs(const Graph& graph, const std::filesystem::path& folder);

} // namespace sg::graph
