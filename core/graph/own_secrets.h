#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sg::graph {

bool isSecretName(std::string_view name);

// Reads a node's "secrets": names, in order, each once; absent: none. The error says which is wrong.
Result<std::vector<std::string>> parseSecretList(const ValueMap& settings);

// Returns the secrets of nodes that name any, also of those in inner graphs (the outermost of a name counts).
// A node that has a session of its own gets these and none of the graph's.
std::map<std::string, std::vector<std::string>> ownSecrets(const Graph& graph);

} // namespace sg::graph
