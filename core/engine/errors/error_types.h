#pragma once

#include "core/graph/graph.h"

#include <string_view>
#include <vector>

namespace sg::engine {

// Compares Python's exception classes by name: isError("ConnectionError", "OSError"). Others are Exceptions.
bool isError(std::string_view type, std::string_view ancestor);
// Returns the first policy that wants this error tried again, or null.
const graph::RetryPolicy* matchingPolicy(const std::vector<graph::RetryPolicy>& policies,
                                         std::string_view type);

} // namespace sg::engine
