#pragma once

#include "core/graph/graph.h"

#include <string_view>
#include <vector>

namespace sg::engine {

// Python's exception classes by name: isError("ConnectionError", "OSError"). An unknown name is an Exception.
bool isError(std::string_view type, std::string_view ancestor);
// The first policy that wants this error tried again; null: none does.
const graph::RetryPolicy* matchingPolicy(const std::vector<graph::RetryPolicy>& policies,
                                         std::string_view type);

} // namespace sg::engine
