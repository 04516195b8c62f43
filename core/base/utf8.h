#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sg {

struct Utf8Char {
    std::uint32_t code = 0;
    std::size_t length = 0; // bytes; 0 if no valid character begins here
};

// Reads the first character of `text` (not empty). Overlong forms, surrogates and codes over U+10FFFF are
// invalid.
Utf8Char firstUtf8Char(std::string_view text);

bool isValidUtf8(std::string_view text);

// Returns at most so many bytes of the text, and no part of a character; "…" follows if something was left
// out.
std::string cutText(std::string_view text, std::size_t most);

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD"; // U+FFFD

} // namespace sg
