#include "core/base/printable.h"

#include "core/base/utf8.h"

#include <cstdint>

namespace sg {
namespace {

bool reordersText(std::uint32_t code)
{
    return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E)
        || (code >= 0x2066 && code <= 0x2069);
}

bool isControl(std::uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

void appendEscape(std::string& out, std::uint32_t code)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    const int digits = code < 0x100 ? 2 : 4;
    out += digits == 2 ? "\\x" : "\\u";
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4)
        out += kDigits[(code >> static_cast<unsigned>(shift)) & 0xFU];
}

} // namespace

std::string printableText(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Utf8Char character = firstUtf8Char(text);
        if (character.length == 0) {
            out += kReplacementCharacter;
            text.remove_prefix(1);
            continue;
        }
        if (character.code == '\n' || character.code == '\t')
            out += text.front();
        else if (isControl(character.code) || reordersText(character.code))
            appendEscape(out, character.code);
        else
            out += text.substr(0, character.length);
        text.remove_prefix(character.length);
    }
    return out;
}

} // namespace sg
