#include "core/history/history.h"

#include <algorithm>
#include <optional>

namespace sg::history {
namespace {

// Takes the letter behind a backslash. \x, \u and \U stand for what is not printable: they stay as they are.
bool takeEscape(std::string_view& rest, std::string& to)
{
    constexpr std::string_view kLetters = "ntr\\'\"";
    constexpr std::string_view kMeant = "\n\t\r\\'\"";
    if (rest.empty())
        return false;
    const char letter = rest.front();
    rest.remove_prefix(1);
    if (const std::size_t at = kLetters.find(letter); at != std::string_view::npos)
        to += kMeant[at];
    else
        (to += '\\') += letter;
    return true;
}

// Returns the text of a literal with its quotes; none where it is several, or not well-formed.
std::optional<std::string> literalText(std::string_view literal)
{
    if (literal.size() < 2 || (literal.front() != '\'' && literal.front() != '"'))
        return std::nullopt;
    const char quote = literal.front();
    std::string text;
    for (std::string_view rest = literal.substr(1); !rest.empty();) {
        const char next = rest.front();
        rest.remove_prefix(1);
        if (next == quote)
            return rest.empty() ? std::optional(std::move(text)) : std::nullopt;
        if (next != '\\')
            text += next;
        else if (!takeEscape(rest, text))
            return std::nullopt;
    }
    return std::nullopt;
}

bool isInName(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

} // namespace

std::string errorWords(std::string_view stored)
{
    const std::size_t open = stored.find('(');
    if (open == 0 || open == std::string_view::npos || !stored.ends_with(')')
        || !std::ranges::all_of(stored.substr(0, open), isInName))
        return std::string(stored);
    const std::string name(stored.substr(0, open));
    const std::string_view inside = stored.substr(open + 1, stored.size() - open - 2);
    if (inside.empty())
        return name;
    const auto text = literalText(inside);
    if (!text)
        return std::string(stored);
    return text->empty() ? name : name + ": " + *text;
}

} // namespace sg::history
