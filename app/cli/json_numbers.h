#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sg::cli {

// The first integer of more than 64 bits in a JSON text that parseJson accepts: read as a number, it would
// change. nullopt: none.
std::optional<std::string> tooLongInteger(std::string_view json);

} // namespace sg::cli
