#include "app/cli/json_numbers.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <system_error>

namespace sg::cli {
namespace {

// The position after the string that begins with the quote at `begin`.
std::size_t endOfText(std::string_view json, std::size_t begin)
{
    std::size_t at = begin + 1;
    while (at < json.size() && json[at] != '"')
        at += json[at] == '\\' ? 2 : 1;
    return at + 1;
}

template<typename Integer>
bool fits(std::string_view digits)
{
    Integer value{};
    return std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc();
}

} // namespace

std::optional<std::string> tooLongInteger(std::string_view json)
{
    for (std::size_t at = 0; at < json.size();) {
        if (json[at] == '"') {
            at = endOfText(json, at);
            continue;
        }
        const std::size_t end = std::min(json.find_first_not_of("+-.0123456789eE", at), json.size());
        const std::string_view number = json.substr(at, end - at);
        at = end + (end == at ? 1 : 0);
        if (number.find_first_of("0123456789") == std::string_view::npos // the "e" of true and false
            || number.find_first_of(".eE") != std::string_view::npos)
            continue;
        if (!fits<std::int64_t>(number) && !fits<std::uint64_t>(number))
            return std::string(number);
    }
    return std::nullopt;
}

} // namespace sg::cli
