#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sg::cli {

// The first integer in a JSON text (which parseJson has accepted) that has more than 64 bits: read as a
// number it would become another one. nullopt: none.
std::optional<std::string> tooLongInteger(std::string_view json);

} // namespace sg::cli
