#pragma once

#include "core/base/value.h"

#include <set>
#include <string>
#include <string_view>

// These functions write pieces of Python source.
namespace sg::exchange {

// Returns a str literal with exactly this content, over several lines if the text has several.
std::string pythonText(std::string_view text);
// Writes null, bool, numbers, text, lists and maps as literals; anything else as the text of its JSON.
std::string pythonLiteral(const Value& value);
// Tells whether source may use the name: ASCII, and no keyword.
bool isPythonName(std::string_view text);
// Tells whether it is a keyword, builtin or standard module, which our modules must not hide.
bool isTakenName(std::string_view text);
bool isStandardModule(std::string_view text);

// "Read mail!" becomes "read_mail" or "ReadMail"; `fallback` is used if nothing is left.
std::string snakeName(std::string_view text, std::string_view fallback);
std::string camelName(std::string_view text, std::string_view fallback);

// Makes names unique within a module by appending numbers.
class PythonNames {
public:
    std::string take(std::string wanted);

private:
    std::set<std::string, std::less<>> m_taken;
};

} // namespace sg::exchange
