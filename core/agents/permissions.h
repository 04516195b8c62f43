#pragma once

#include "core/graph/agent_rules.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::agents {

using graph::Permissions;

// Returns why something is not allowed, for the model; nothing: it is.
std::optional<std::string> toolRefusal(const Permissions& permissions, const std::string& agent,
                                       const std::string& tool);
std::optional<std::string> datasetRefusal(const Permissions& permissions, const std::string& agent,
                                          const std::string& dataset);
// `place`: "api.test:443".
std::optional<std::string> hostRefusal(const Permissions& permissions, const std::string& agent,
                                       std::string_view place);

} // namespace sg::agents
