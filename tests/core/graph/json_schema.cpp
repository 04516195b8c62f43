#include "tests/core/graph/json_schema.h"

#include <QtGlobal>

#include <algorithm>
#include <regex>
#include <set>

namespace sg::test {
namespace {

bool hasType(const Value& value, const std::string& type)
{
    return (type == "null" && value.isNull()) || (type == "boolean" && value.isBool())
        || (type == "string" && value.isString()) || (type == "array" && value.isList())
        || (type == "object" && value.isMap()) || (type == "number" && value.isNumber())
        || (type == "integer" && value.isInt());
}

bool hasAnyType(const Value& value, const Value& types)
{
    if (types.isString())
        return hasType(value, types.asString());
    return std::ranges::any_of(types.asList(),
                               [&](const Value& type) { return hasType(value, type.asString()); });
}

bool isFitNumber(const std::string& keyword, double limit, double number)
{
    return keyword == "minimum" ? number >= limit : keyword == "maximum" ? number <= limit : number > limit;
}

bool isFitText(const std::string& keyword, const Value& limit, const std::string& text)
{
    if (keyword == "pattern")
        return std::regex_search(text, std::regex(limit.asString()));
    const auto size = static_cast<std::int64_t>(text.size());
    return keyword == "minLength" ? size >= limit.asInt() : size <= limit.asInt();
}

bool isFitList(const std::string& keyword, const Value& limit, const ValueList& list)
{
    const auto size = static_cast<std::int64_t>(list.size());
    if (keyword == "uniqueItems")
        return std::ranges::all_of(list,
                                   [&](const Value& each) { return std::ranges::count(list, each) == 1; });
    return keyword == "minItems" ? size >= limit.asInt() : size <= limit.asInt();
}

const std::set<std::string> kNumbers{ "minimum", "maximum", "exclusiveMinimum" };
const std::set<std::string> kTexts{ "pattern", "minLength", "maxLength" };
const std::set<std::string> kLists{ "minItems", "maxItems", "uniqueItems" };
const std::set<std::string> kElsewhere{
    "$schema",     "$id",   "$defs",       "$ref",         "title",         "default",
    "description", "items", "prefixItems", "properties",   "propertyNames", "additionalProperties",
    "then",        "allOf", "if",          "minProperties"
};

} // namespace

JsonSchema::JsonSchema(Value root)
    : m_root(std::move(root))
{
}

void JsonSchema::collect(const Value& rule, const Value& value, std::vector<const Value*>& rules) const
{
    rules.push_back(&rule);
    if (const Value* other = rule.find("$ref"))
        collect(m_root["$defs"][other->asString().substr(std::string("#/$defs/").size())], value, rules);
    for (std::size_t i = 0; rule["allOf"][i].isMap(); ++i)
        collect(rule["allOf"][i], value, rules);
    if (rule.find("if") != nullptr && fault(rule["if"], value, "").empty())
        collect(rule["then"], value, rules);
    for (std::size_t i = 0; rule["anyOf"][i].isMap(); ++i)
        if (fault(rule["anyOf"][i], value, "").empty())
            collect(rule["anyOf"][i], value, rules);
}

std::string JsonSchema::fault(const Value& rule, const Value& value, const std::string& at) const
{
    std::vector<const Value*> rules;
    collect(rule, value, rules);
    for (const Value* each : rules) {
        for (const auto& [name, limit] : each->asMap()) {
            const std::string& keyword = name.asString();
            const auto matches = [&](const Value& part) { return fault(part, value, at).empty(); };
            bool isFit = true;
            if (keyword == "type")
                isFit = hasAnyType(value, limit);
            else if (keyword == "const")
                isFit = value == limit;
            else if (keyword == "enum")
                isFit = std::ranges::find(limit.asList(), value) != limit.asList().end();
            else if (keyword == "anyOf")
                isFit = std::ranges::any_of(limit.asList(), matches);
            else if (keyword == "not")
                isFit = !matches(limit);
            else if (keyword == "required")
                isFit = !value.isMap() || std::ranges::all_of(limit.asList(), [&](const Value& key) {
                    return value.find(key.asString()) != nullptr;
                });
            else if (kNumbers.contains(keyword))
                isFit = !value.isNumber() || isFitNumber(keyword, limit.asDouble(), value.asDouble());
            else if (kTexts.contains(keyword))
                isFit = !value.isString() || isFitText(keyword, limit, value.asString());
            else if (kLists.contains(keyword))
                isFit = !value.isList() || isFitList(keyword, limit, value.asList());
            else if (!kElsewhere.contains(keyword))
                qFatal("unknown keyword %s", keyword.c_str());
            if (!isFit)
                return at + ": " + keyword;
        }
        for (std::size_t i = 0; value.isList() && i < value.asList().size(); ++i) {
            const Value& first = (*each)["prefixItems"][i];
            const Value& element = first.isNull() ? (*each)["items"] : first;
            if (element.isMap())
                if (std::string found = fault(element, value[i], at + "/" + std::to_string(i));
                    !found.empty())
                    return found;
        }
        for (const auto& [key, entry] : value.isMap() ? value.asMap() : ValueMap()) {
            const Value& known = (*each)["properties"][key.asString()];
            const Value& one = known.isNull() ? (*each)["additionalProperties"] : known;
            if (one.isMap())
                if (std::string found = fault(one, entry, at + "/" + key.asString()); !found.empty())
                    return found;
            if (const Value* names = each->find("propertyNames"))
                if (std::string found = fault(*names, key, at + "/" + key.asString()); !found.empty())
                    return found;
        }
    }
    return {};
}

void JsonSchema::collectUnknown(const std::vector<const Value*>& rules, const Value& value,
                                const std::string& at, std::string& found) const
{
    const auto inside = [&](const Value& entry, const std::string& pointer, const auto& ruleOf) {
        std::vector<const Value*> next;
        for (const Value* rule : rules)
            if (const Value& one = ruleOf(*rule); one.isMap())
                collect(one, entry, next);
        const bool isListed =
            std::ranges::any_of(rules, [](const Value* rule) { return rule->find("properties") != nullptr; });
        if (next.empty() && isListed && pointer.find("/x-") == std::string::npos)
            found += pointer + "\n";
        collectUnknown(next, entry, pointer, found);
    };
    for (std::size_t i = 0; value.isList() && i < value.asList().size(); ++i)
        inside(value[i], at + "/" + std::to_string(i),
               [](const Value& rule) -> const Value& { return rule["items"]; });
    for (const auto& [key, entry] : value.isMap() ? value.asMap() : ValueMap())
        inside(entry, at + "/" + key.asString(), [&](const Value& rule) -> const Value& {
            const Value& known = rule["properties"][key.asString()];
            return known.isNull() ? rule["additionalProperties"] : known;
        });
}

std::string JsonSchema::unknownKeys(const Value& value) const
{
    std::vector<const Value*> rules;
    collect(m_root, value, rules);
    std::string found;
    collectUnknown(rules, value, "", found);
    return found;
}

} // namespace sg::test
