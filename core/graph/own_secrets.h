#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sg::graph {

bool isSecretName(std::string_view name);

inline constexpr std::string_view kSecretsKey = "secrets"; // files in the node's session
inline constexpr std::string_view kSecretHeadersKey = "secret_headers"; // for the proxy of its session alone

// Reads names of secrets under that key of a node: in order, each once; absent: none. The error says which is
// wrong.
Result<std::vector<std::string>> parseSecretList(const ValueMap& settings,
                                                 std::string_view key = kSecretsKey);

struct OwnSecrets {
    std::vector<std::string> names;
    std::vector<std::string> headers; // secrets that the proxy may put into this node's requests
    friend bool operator==(const OwnSecrets&, const OwnSecrets&) = default;
};

// Returns the secrets of nodes that name any, also of those in inner graphs (the outermost of a name counts).
// A node that has a session of its own gets these and none of the graph's.
std::map<std::string, OwnSecrets> ownSecrets(const Graph& graph);

} // namespace sg::graph
