#pragma once

#include "core/base/value.h"

#include <set>
#include <string>
#include <string_view>

// Pieces of Python source.
namespace sg::exchange {

// A str literal with exactly this content; over several lines where the text has them.
std::string pythonText(std::string_view text);
// None, True, numbers, text, lists and dicts as literals; anything else as the text of its JSON.
std::string pythonLiteral(const Value& value);
// A name that source may use: ASCII, no keyword.
bool isPythonName(std::string_view text);
// Of a word of Python, its builtins or standard library, which a module of ours must not hide.
bool isTakenName(std::string_view text);
bool isStandardModule(std::string_view text);

// "Read mail!" → "read_mail", "ReadMail"; `fallback` where nothing is left.
std::string snakeName(std::string_view text, std::string_view fallback);
std::string camelName(std::string_view text, std::string_view fallback);

// One name each within a module: what is taken gets a number.
class PythonNames {
public:
    std::string take(std::string wanted);

private:
    std::set<std::string, std::less<>> m_taken;
};

} // namespace sg::exchange
