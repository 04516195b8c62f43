#pragma once

#include "core/base/result.h"
#include "core/exchange/python_project.h"
#include "core/graph/graph.h"

#include <string>
#include <string_view>
#include <vector>

// Reads the output of LangGraph's `graph.get_graph().to_json()`: names, edges, labels; no code, no state.
namespace sg::exchange {

struct Skeleton {
    graph::Graph graph; // python nodes, whose files are in `code`; branches with their labels
    std::vector<ExportedFile> code; // templates that say what is to be written there
    std::vector<std::string> notes; // what the JSON does not tell, or what was changed
};

// Errc::InvalidArgument: the text is no such JSON; the message says why.
Result<Skeleton> skeletonOf(std::string_view json, const std::string& graphName);

} // namespace sg::exchange
