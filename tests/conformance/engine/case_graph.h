#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace sg::conformance {

// The graph of a case (README.md) as the engine's. Nodes get a setting "path": their names from the root on.
// The jq programs of all nested graphs are added to `programs`.
graph::Graph caseGraph(const Value& description, std::vector<std::string>& programs,
                       const std::string& path = {});

} // namespace sg::conformance
