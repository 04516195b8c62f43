#pragma once

#include "core/base/result.h"
#include "core/exchange/python_project.h"
#include "core/graph/graph.h"

#include <string>
#include <string_view>
#include <vector>

// What `graph.get_graph().to_json()` of LangGraph tells: names, edges and labels, but no code and no state.
namespace sg::exchange {

struct Skeleton {
    graph::Graph graph; // python nodes, whose files are in `code`; branches with their labels
    std::vector<ExportedFile> code; // each says what is to be written there
    std::vector<std::string> notes; // what the JSON does not tell, or had to be changed
};

// Errc::InvalidArgument where the text is no such JSON; its message says what is wrong.
Result<Skeleton> skeletonOf(std::string_view json, const std::string& graphName);

} // namespace sg::exchange
