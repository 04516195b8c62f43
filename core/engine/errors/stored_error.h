#pragma once

#include "core/engine/failure.h"

#include <optional>
#include <string>
#include <string_view>

namespace sg::engine {

// Reads Python's repr() of an exception, such as "ValueError('boom')", into its class, str() and repr().
// nullopt if the text is no such call.
std::optional<Failure> parseStoredError(std::string_view repr);

} // namespace sg::engine
