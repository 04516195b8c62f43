#include "core/base/utf8.h"

namespace sg {

Utf8Char firstUtf8Char(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const auto continues = [&](std::size_t i) { return i < text.size() && (byte(i) & 0xC0U) == 0x80U; };
    const std::uint32_t first = byte(0);
    if (first < 0x80)
        return { first, 1 };
    if (first >= 0xC2 && first <= 0xDF && continues(1))
        return { (first & 0x1FU) << 6U | (byte(1) & 0x3FU), 2 };
    if ((first & 0xF0U) == 0xE0U && continues(1) && continues(2)) {
        const std::uint32_t code = (first & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU);
        const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
        return code < 0x800 || surrogate ? Utf8Char{} : Utf8Char{ code, 3 };
    }
    if ((first & 0xF8U) == 0xF0U && continues(1) && continues(2) && continues(3)) {
        const std::uint32_t code =
            (first & 0x07U) << 18U | (byte(1) & 0x3FU) << 12U | (byte(2) & 0x3FU) << 6U | (byte(3) & 0x3FU);
        return code < 0x10000 || code > 0x10FFFF ? Utf8Char{} : Utf8Char{ code, 4 };
    }
    return {};
}

bool isValidUtf8(std::string_view text)
{
    while (!text.empty()) {
        const Utf8Char character = firstUtf8Char(text);
        if (character.length == 0)
            return false;
        text.remove_prefix(character.length);
    }
    return true;
}

std::string cutText(std::string_view text, std::size_t most)
{
    if (text.size() <= most)
        return std::string(text);
    std::size_t end =
        most; // the byte there may begin a character, and none may begin before and end after it
    while (end > 0 && most - end < 3 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end;
    return std::string(text.substr(0, end)) + "…";
}

} // namespace sg
