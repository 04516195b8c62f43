#pragma once

#include "core/engine/failure.h"

#include <optional>
#include <string>
#include <string_view>

namespace sg::engine {

// What Python's repr() of an exception tells: "ValueError('boom')" → its class, str() and repr(). nullopt
// where the text is no such call.
std::optional<Failure> parseStoredError(std::string_view repr);

} // namespace sg::engine
