#include "core/graph/checks/checks.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

namespace sg::graph {
namespace {

// models::schemaMismatch() does not look at them. A model is told of them all the same.
constexpr std::array<std::string_view, 9> kUnchecked{
    "pattern",         "patternProperties", "unevaluatedProperties", "unevaluatedItems", "dependencies",
    "contentEncoding", "contentSchema",     "$dynamicRef",           "$recursiveRef"
};
// Their members are schemas under names of the author's own, which may be those of keywords.
constexpr std::array<std::string_view, 5> kNamed{ "properties", "patternProperties", "$defs", "definitions",
                                                  "dependentSchemas" };
// They hold values and no schemas.
constexpr std::array<std::string_view, 5> kValues{ "enum", "const", "default", "examples", "required" };
constexpr int kMostDepth = 64;

template<typename List>
bool holds(const List& list, std::string_view word)
{
    return std::ranges::find(list, word) != list.end();
}

void findUnchecked(const Value& schema, std::set<std::string>& found, int depth)
{
    if (depth > kMostDepth)
        return;
    if (schema.isList())
        for (const Value& each : schema.asList())
            findUnchecked(each, found, depth + 1);
    if (!schema.isMap())
        return;
    for (const auto& [key, value] : schema.asMap()) {
        const std::string word = key.isString() ? key.asString() : std::string();
        if (holds(kUnchecked, word))
            found.insert(word);
        if (holds(kValues, word))
            continue;
        if (!holds(kNamed, word) || !value.isMap()) {
            findUnchecked(value, found, depth + 1);
            continue;
        }
        for (const auto& [name, each] : value.asMap())
            findUnchecked(each, found, depth + 1);
    }
}

} // namespace

void warnOfUnchecked(const GraphScope& scope, const Value& schema, const Place& place)
{
    std::set<std::string> found;
    findUnchecked(schema, found, 0);
    std::string words;
    for (const std::string& word : found)
        words += (words.empty() ? "\"" : ", \"") + word + "\"";
    if (!words.empty())
        scope.warning(
            place, "unchecked-schema",
            "of this JSON Schema, " + words
                + " is not checked here: values that break it are taken. Models and people are told "
                  "of it all the same");
}

} // namespace sg::graph
