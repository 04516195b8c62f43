#include "core/exchange/python_text.h"

#include "core/base/json.h"
#include "core/exchange/python_words.h"
#include "core/graph/module_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>

namespace sg::exchange {
namespace {

bool isWordCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool isControl(char c)
{
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

// Keeps lines as lines; a raw string shows a program as it is.
std::string tripleQuoted(std::string_view text)
{
    const bool raw = text.find('\\') != std::string_view::npos;
    return (raw ? "r\"\"\"" : "\"\"\"") + std::string(text) + "\"\"\"";
}

bool fitsTripleQuotes(std::string_view text)
{
    return text.find('\n') != std::string_view::npos && text.find("\"\"\"") == std::string_view::npos
        && text.back() != '"' && text.back() != '\\'
        && std::ranges::none_of(text, [](char c) { return isControl(c) && c != '\n' && c != '\t'; });
}

std::string escaped(std::string_view text)
{
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            (result += '\\') += c;
        } else if (c == '\n') {
            result += "\\n";
        } else if (c == '\t') {
            result += "\\t";
        } else if (isControl(c)) {
            std::array<char, 8> code{};
            std::snprintf(code.data(), code.size(), "\\x%02x", static_cast<unsigned>(c));
            result += code.data();
        } else {
            result += c;
        }
    }
    return result + '"';
}

std::string words(std::string_view text, char between)
{
    std::string result;
    for (const char c : text) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            result += c;
        else if (!result.empty() && result.back() != between)
            result += between;
    }
    while (!result.empty() && result.back() == between)
        result.pop_back();
    return result;
}

} // namespace

std::string pythonText(std::string_view text)
{
    if (!text.empty() && fitsTripleQuotes(text))
        return tripleQuoted(text);
    const bool plain = std::ranges::none_of(text, isControl);
    const bool slashes = text.find('\\') != std::string_view::npos;
    const char quote = text.find('"') == std::string_view::npos ? '"' : '\'';
    if (plain && text.find(quote) == std::string_view::npos && (!slashes || text.back() != '\\'))
        return (slashes ? "r" : "") + std::string(1, quote) + std::string(text) + quote;
    return escaped(text);
}

std::string pythonLiteral(const Value& value)
{
    if (value.isNull())
        return "None";
    if (value.isBool())
        return value.asBool() ? "True" : "False";
    if (value.isDouble() && !std::isfinite(value.asDouble()))
        return std::isnan(value.asDouble()) ? "float(\"nan\")"
            : value.asDouble() > 0          ? "float(\"inf\")"
                                            : "float(\"-inf\")";
    if (value.isString())
        return pythonText(value.asString());
    std::string result;
    if (value.isList()) {
        for (const Value& item : value.asList())
            (result += result.empty() ? "" : ", ") += pythonLiteral(item);
        return "[" + result + "]";
    }
    if (value.isMap()) {
        for (const auto& [key, item] : value.asMap())
            (((result += result.empty() ? "" : ", ") += pythonLiteral(key)) += ": ") += pythonLiteral(item);
        return "{" + result + "}";
    }
    return value.isNumber() ? toJson(value) : pythonText(toJson(value));
}

bool isPythonName(std::string_view text)
{
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0
        && std::ranges::all_of(text, isWordCharacter) && !isOneOf(text, kPythonKeywords);
}

bool isTakenName(std::string_view text)
{
    return isOneOf(text, kPythonKeywords) || isOneOf(text, kPythonBuiltins) || isStandardModule(text);
}

bool isStandardModule(std::string_view text)
{
    return graph::isStandardModule(text);
}

std::string snakeName(std::string_view text, std::string_view fallback)
{
    std::string name = words(text, '_');
    if (name.empty())
        name = fallback;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    return std::isdigit(static_cast<unsigned char>(name.front())) != 0 ? std::string(fallback) + "_" + name
                                                                       : name;
}

std::string camelName(std::string_view text, std::string_view fallback)
{
    std::string name;
    bool upper = true;
    for (const char c : snakeName(text, fallback)) {
        if (c == '_')
            upper = true;
        else
            name += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c, upper = false;
    }
    return name;
}

std::string PythonNames::take(std::string wanted)
{
    if (isTakenName(wanted))
        wanted += "_";
    std::string name = wanted;
    for (int number = 2; !m_taken.insert(name).second; ++number)
        name = wanted + (wanted.ends_with('_') ? "" : "_") + std::to_string(number);
    return name;
}

} // namespace sg::exchange
