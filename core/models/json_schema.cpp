#include "core/models/json_schema.h"

#include "core/base/json.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace sg::models {
namespace {

constexpr int kMostSchemaDepth = 64; // a schema may refer to itself

std::string shown(const Value& value)
{
    std::string text = toJson(value);
    if (text.size() > 80)
        text = text.substr(0, text.find_last_of("\",{[ ", 77)) + " …";
    return text;
}

bool isOfType(const Value& value, std::string_view type)
{
    if (type == "integer")
        return value.isInt() || (value.isNumber() && std::floor(value.asDouble()) == value.asDouble());
    return (type == "string" && value.isString()) || (type == "number" && value.isNumber())
        || (type == "object" && value.isMap()) || (type == "array" && value.isList())
        || (type == "boolean" && value.isBool()) || (type == "null" && value.isNull());
}

bool isEqual(const Value& a, const Value& b)
{
    return a == b || (a.isNumber() && b.isNumber() && a.asDouble() == b.asDouble());
}

double lengthOf(const std::string& text)
{
    double length = 0;
    for (std::string_view rest = text; !rest.empty(); ++length)
        rest.remove_prefix(std::max<std::size_t>(1, firstUtf8Char(rest).length));
    return length;
}

class Check {
public:
    explicit Check(const Value& root)
        : m_root(root)
    {
    }

    std::optional<std::string> mismatch(const Value& schema, const Value& value, const std::string& at,
                                        int depth) const
    {
        if (depth > kMostSchemaDepth || !schema.isMap())
            return schema == Value(false) ? std::optional(told(at, value, "is not wanted")) : std::nullopt;
        if (const Value* target = referred(schema))
            return mismatch(*target, value, at, depth + 1);
        if (auto wrong = wrongType(schema, value, at))
            return wrong;
        if (auto wrong = wrongBounds(schema, value, at))
            return wrong;
        if (auto wrong = wrongChoice(schema, value, at, depth))
            return wrong;
        if (value.isMap())
            return wrongObject(schema, value, at, depth);
        if (value.isList())
            return wrongList(schema, value, at, depth);
        return std::nullopt;
    }

private:
    static std::string told(const std::string& at, const Value& value, const std::string& what)
    {
        return (at.empty() ? "the answer" : at) + ": " + shown(value) + " " + what;
    }

    const Value* referred(const Value& schema) const
    {
        const std::string reference = schema.stringOr("$ref", "");
        if (reference == "#")
            return &m_root;
        if (!reference.starts_with("#/"))
            return nullptr;
        const Value* found = &m_root;
        for (std::size_t from = 2; found != nullptr && from <= reference.size();) {
            const std::size_t end = std::min(reference.find('/', from), reference.size());
            found = found->find(std::string_view(reference).substr(from, end - from));
            from = end + 1;
        }
        return found;
    }

    static std::optional<std::string> wrongType(const Value& schema, const Value& value,
                                                const std::string& at)
    {
        const Value& type = schema["type"];
        if (type.isString() && !isOfType(value, type.asString()))
            return told(at, value, "is no " + type.asString());
        if (type.isList() && std::ranges::none_of(type.asList(), [&](const Value& each) {
                return each.isString() && isOfType(value, each.asString());
            }))
            return told(at, value, "is none of the types " + toJson(type));
        if (const Value& words = schema["enum"]; words.isList()
            && std::ranges::none_of(words.asList(), [&](const Value& each) { return isEqual(each, value); }))
            return told(at, value, "is none of " + shown(words));
        if (const Value* word = schema.find("const"); word != nullptr && !isEqual(*word, value))
            return told(at, value, "is not " + shown(*word));
        return std::nullopt;
    }

    static std::optional<std::string> wrongBounds(const Value& schema, const Value& value,
                                                  const std::string& at)
    {
        const auto limit = [&](const char* key) { return schema[key].isNumber(); };
        const auto number = [&](const char* key) { return schema[key].asDouble(); };
        const auto outside = [&](const char* key) {
            return told(at, value, "breaks " + std::string(key) + " " + toJson(schema[key]));
        };
        const auto bounded = [&](double size, const char* least,
                                 const char* most) -> std::optional<std::string> {
            if (limit(least) && size < number(least))
                return outside(least);
            return limit(most) && size > number(most) ? std::optional(outside(most)) : std::nullopt;
        };
        if (value.isNumber()) {
            if (limit("exclusiveMinimum") && value.asDouble() <= number("exclusiveMinimum"))
                return outside("exclusiveMinimum");
            if (limit("exclusiveMaximum") && value.asDouble() >= number("exclusiveMaximum"))
                return outside("exclusiveMaximum");
            return bounded(value.asDouble(), "minimum", "maximum");
        }
        if (value.isString())
            return bounded(lengthOf(value.asString()), "minLength", "maxLength");
        if (value.isList())
            return bounded(static_cast<double>(value.asList().size()), "minItems", "maxItems");
        return std::nullopt;
    }

    std::optional<std::string> wrongChoice(const Value& schema, const Value& value, const std::string& at,
                                           int depth) const
    {
        if (schema["allOf"].isList())
            for (const Value& each : schema["allOf"].asList())
                if (auto wrong = mismatch(each, value, at, depth + 1))
                    return wrong;
        for (const char* key : { "anyOf", "oneOf" }) {
            if (!schema[key].isList())
                continue;
            std::optional<std::string> first;
            std::size_t fits = 0;
            for (const Value& each : schema[key].asList()) {
                auto wrong = mismatch(each, value, at, depth + 1);
                fits += wrong ? 0U : 1U;
                if (wrong && !first)
                    first = std::move(wrong);
            }
            if (fits == 0 && first)
                return first;
            if (fits > 1 && std::string_view(key) == "oneOf")
                return told(at, value, "fits more than one of its choices");
        }
        if (const Value* no = schema.find("not"); no != nullptr && !mismatch(*no, value, at, depth + 1))
            return told(at, value, "is what it must not be");
        return std::nullopt;
    }

    std::optional<std::string> wrongObject(const Value& schema, const Value& value, const std::string& at,
                                           int depth) const
    {
        if (schema["required"].isList())
            for (const Value& key : schema["required"].asList())
                if (key.isString() && value.find(key.asString()) == nullptr)
                    return (at.empty() ? "the answer" : at) + ": \"" + key.asString() + "\" is missing";
        const Value* rest = schema.find("additionalProperties");
        for (const auto& [key, item] : value.asMap()) {
            if (!key.isString())
                continue;
            const std::string place = at + "/" + jsonPointerToken(key.asString());
            const Value* known = schema["properties"].find(key.asString());
            if (known != nullptr) {
                if (auto wrong = mismatch(*known, item, place, depth + 1))
                    return wrong;
            } else if (rest != nullptr && *rest == Value(false)) {
                return place + ": there is no such field";
            } else if (rest != nullptr) {
                if (auto wrong = mismatch(*rest, item, place, depth + 1))
                    return wrong;
            }
        }
        return std::nullopt;
    }

    std::optional<std::string> wrongList(const Value& schema, const Value& value, const std::string& at,
                                         int depth) const
    {
        const Value* items = schema.find("items");
        if (items == nullptr)
            return std::nullopt;
        for (std::size_t i = 0; i < value.asList().size(); ++i)
            if (auto wrong = mismatch(*items, value.asList()[i], at + "/" + std::to_string(i), depth + 1))
                return wrong;
        return std::nullopt;
    }

    const Value& m_root;
};

} // namespace

std::optional<std::string> schemaMismatch(const Value& schema, const Value& value)
{
    return Check(schema).mismatch(schema, value, {}, 0);
}

} // namespace sg::models
