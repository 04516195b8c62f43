#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sg {

struct Utf8Char {
    std::uint32_t code = 0;
    std::size_t length = 0; // bytes; 0 where no valid character begins
};

// The character at the start of `text` (not empty): overlong forms, surrogates and codes above U+10FFFF are
// invalid.
Utf8Char firstUtf8Char(std::string_view text);

bool isValidUtf8(std::string_view text);

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD"; // U+FFFD

} // namespace sg
