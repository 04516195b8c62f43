#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sg::engine {

struct StoredError {
    std::string type;
    std::string message;
};

// What Python's repr() of an exception tells: "ValueError('boom')" → its class and str(). nullopt where the
// text is no such call.
std::optional<StoredError> parseStoredError(std::string_view repr);

} // namespace sg::engine
