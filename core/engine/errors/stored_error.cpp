#include "core/engine/errors/stored_error.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace sg::engine {
namespace {

void appendUtf8(std::string& out, std::uint32_t code)
{
    const auto tail = [code](int shift) { return static_cast<char>(0x80U | ((code >> shift) & 0x3fU)); };
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += { static_cast<char>(0xc0U | (code >> 6)), tail(0) };
    } else if (code < 0x10000) {
        out += { static_cast<char>(0xe0U | (code >> 12)), tail(6), tail(0) };
    } else {
        out += { static_cast<char>(0xf0U | (code >> 18)), tail(12), tail(6), tail(0) };
    }
}

// Returns how many digits follow the letter in \xHH, \uHHHH and \UHHHHHHHH.
std::size_t digitsAfter(char letter)
{
    return letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
}

// Takes one escape off `text`, whose backslash is already taken. False: repr() writes no such escape.
bool unescape(std::string_view& text, std::string& out)
{
    if (text.empty())
        return false;
    const char letter = text.front();
    text.remove_prefix(1);
    switch (letter) {
    case 'n': out += '\n'; return true;
    case 'r': out += '\r'; return true;
    case 't': out += '\t'; return true;
    case '\\':
    case '\'':
    case '"': out += letter; return true;
    default: break;
    }
    const std::size_t digits = digitsAfter(letter);
    std::uint32_t code = 0;
    if (digits == 0 || text.size() < digits)
        return false;
    const auto parsed = std::from_chars(text.data(), text.data() + digits, code, 16);
    if (parsed.ptr != text.data() + digits || code > 0x10ffff)
        return false;
    text.remove_prefix(digits);
    appendUtf8(out, code);
    return true;
}

// Returns the text of a string literal if `text` is one and nothing else.
std::optional<std::string> stringLiteral(std::string_view text)
{
    if (text.size() < 2 || (text.front() != '\'' && text.front() != '"') || text.back() != text.front())
        return std::nullopt;
    const char quote = text.front();
    text = text.substr(1, text.size() - 2);
    std::string out;
    while (!text.empty()) {
        const char next = text.front();
        text.remove_prefix(1);
        if (next == quote) // `text` holds several literals
            return std::nullopt;
        if (next != '\\')
            out += next;
        else if (!unescape(text, out))
            return std::nullopt;
    }
    return out;
}

} // namespace

std::optional<Failure> parseStoredError(std::string_view repr)
{
    const auto open = repr.find('(');
    const std::string_view type = repr.substr(0, open);
    const auto isNameChar = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
            || c == '.';
    };
    if (open == std::string_view::npos || open == 0 || repr.back() != ')'
        || !std::ranges::all_of(type, isNameChar))
        return std::nullopt;
    const std::string_view arguments = repr.substr(open + 1, repr.size() - open - 2);
    Failure error{ std::string(type), std::string(arguments), {}, true, std::string(repr) };
    if (type == "KeyError") // its str() is the key's repr()
        return error;
    if (auto text = stringLiteral(arguments))
        error.message = *std::move(text);
    else if (arguments.find(',') != std::string_view::npos)
        error.message = '(' + error.message + ')'; // str() shows several arguments as a tuple
    return error;
}

} // namespace sg::engine
