#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::agents {

// The things that an agent may use. A list that is absent allows everything of its kind, an empty one
// nothing.
struct Permissions {
    std::optional<std::vector<std::string>> tools;
    std::optional<std::vector<std::string>> datasets;
    std::optional<std::vector<std::string>> hosts; // "api.test", "api.test:8443", "*.test"

    // {"tools": […], "datasets": […], "hosts": […]}, or null. Errc::InvalidArgument names what is wrong.
    static Result<Permissions> read(const Value& value);
};

// Why something is not allowed, for the model; nothing: it is.
std::optional<std::string> toolRefusal(const Permissions& permissions, const std::string& agent,
                                       const std::string& tool);
std::optional<std::string> datasetRefusal(const Permissions& permissions, const std::string& agent,
                                          const std::string& dataset);
// `place`: "api.test:443".
std::optional<std::string> hostRefusal(const Permissions& permissions, const std::string& agent,
                                       std::string_view place);

} // namespace sg::agents
