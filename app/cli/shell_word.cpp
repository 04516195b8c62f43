#include "app/cli/shell_word.h"

#include <algorithm>
#include <cctype>

namespace sg::cli {

std::string shellWord(const std::string& word)
{
    const bool plain = std::all_of(word.begin(), word.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '/' || c == '-' || c == '=';
    });
    if (plain && !word.empty())
        return word;
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

} // namespace sg::cli
