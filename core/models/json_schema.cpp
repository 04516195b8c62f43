#include "core/models/json_schema.h"

#include "core/base/json.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace sg::models {
namespace {

// A schema may refer to itself, and may ask for twice the work with each level. Schemas come from servers,
// too.
constexpr int kMostSchemaDepth = 512;
constexpr std::size_t kMostWork = 2'000'000; // checks of one value; long texts and lists of words count more
constexpr std::size_t kShown = 80; // bytes of a value in a message

// Appends the beginning of the value's JSON: a large value is not written out only to be cut.
void appendShown(const Value& value, std::string& text)
{
    if (value.isString()) {
        text += toJson(Value(value.asString().substr(0, kShown + 1)));
        return;
    }
    if (!value.isMap() && !value.isList()) {
        text += toJson(value);
        return;
    }
    text += value.isMap() ? '{' : '[';
    bool isFirst = true;
    const auto begins = [&] { // the next item, where there is still room for it
        text += std::exchange(isFirst, false) ? "" : ",";
        return text.size() <= kShown;
    };
    if (value.isMap())
        for (const auto& [key, item] : value.asMap()) {
            if (!begins())
                return;
            text += toJson(key.isString() ? Value(key.asString().substr(0, kShown + 1)) : Value(toJson(key)))
                + ':';
            appendShown(item, text);
        }
    else
        for (const Value& item : value.asList()) {
            if (!begins())
                return;
            appendShown(item, text);
        }
    text += value.isMap() ? '}' : ']';
}

std::string shown(const Value& value)
{
    std::string text;
    appendShown(value, text);
    if (text.size() > kShown)
        text = text.substr(0, text.find_last_of("\",{[ ", kShown - 3)) + " …";
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
                                        int depth)
    {
        ++m_work;
        m_isTooDeep = m_isTooDeep || depth > kMostSchemaDepth;
        if (hasGivenUp())
            return std::string(); // the caller says so in the end
        if (!schema.isMap())
            return schema == Value(false) ? std::optional(told(at, value, "is not wanted")) : std::nullopt;
        if (const Value* reference = schema.find("$ref"); reference != nullptr && reference->isString()) {
            const Value* target = referred(reference->asString());
            if (target == nullptr)
                return told(at, value,
                            "cannot be checked: the schema refers to " + shown(*reference)
                                + ", which it does not hold");
            if (auto wrong = mismatch(*target, value, at, depth + 1))
                return wrong;
        }
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

    // Tells whether the check was broken off, so that its result counts for nothing.
    [[nodiscard]] bool hasGivenUp() const { return m_isTooDeep || m_work > kMostWork; }

private:
    static std::string told(const std::string& at, const Value& value, const std::string& what)
    {
        return (at.empty() ? "the answer" : at) + ": " + shown(value) + " " + what;
    }

    // "~1" and "~0" stand for "/" and "~" in a part of a pointer, and "%25" for "%".
    static std::string pointerPart(std::string_view text)
    {
        std::string out;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '~' && i + 1 < text.size() && (text[i + 1] == '0' || text[i + 1] == '1'))
                out += text[++i] == '0' ? '~' : '/';
            else if (text.substr(i, 3) == "%25")
                out += text[std::exchange(i, i + 2)];
            else
                out += text[i];
        }
        return out;
    }

    // Returns null if it is not in this schema.
    [[nodiscard]] const Value* referred(const std::string& reference) const
    {
        if (reference == "#")
            return &m_root;
        if (!reference.starts_with("#/"))
            return nullptr;
        const Value* found = &m_root;
        for (std::size_t from = 2; found != nullptr && from <= reference.size();) {
            const std::size_t end = std::min(reference.find('/', from), reference.size());
            found = found->find(pointerPart(std::string_view(reference).substr(from, end - from)));
            from = end + 1;
        }
        return found;
    }

    std::optional<std::string> wrongType(const Value& schema, const Value& value, const std::string& at)
    {
        const Value& type = schema["type"];
        if (type.isString() && !isOfType(value, type.asString()))
            return told(at, value, "is no " + type.asString());
        if (type.isList() && std::ranges::none_of(type.asList(), [&](const Value& each) {
                return each.isString() && isOfType(value, each.asString());
            }))
            return told(at, value, "is none of the types " + toJson(type));
        if (const Value& words = schema["enum"]; words.isList())
            m_work += words.asList().size() / 8;
        if (const Value& words = schema["enum"]; words.isList()
            && std::ranges::none_of(words.asList(), [&](const Value& each) { return isEqual(each, value); }))
            return told(at, value, "is none of " + shown(words));
        if (const Value* word = schema.find("const"); word != nullptr && !isEqual(*word, value))
            return told(at, value, "is not " + shown(*word));
        return std::nullopt;
    }

    std::optional<std::string> wrongBounds(const Value& schema, const Value& value, const std::string& at)
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
            if (limit("multipleOf") && number("multipleOf") > 0) {
                const double times = value.asDouble() / number("multipleOf");
                if (std::abs(times - std::round(times)) > 1e-9 * std::max(1.0, std::abs(times)))
                    return outside("multipleOf");
            }
            return bounded(value.asDouble(), "minimum", "maximum");
        }
        if (value.isString() && !limit("minLength") && !limit("maxLength"))
            return std::nullopt;
        if (value.isString())
            m_work += value.asString().size() / 64;
        if (value.isString())
            return bounded(lengthOf(value.asString()), "minLength", "maxLength");
        if (value.isList())
            return bounded(static_cast<double>(value.asList().size()), "minItems", "maxItems");
        if (value.isMap())
            return bounded(static_cast<double>(value.asMap().size()), "minProperties", "maxProperties");
        return std::nullopt;
    }

    std::optional<std::string> wrongChoice(const Value& schema, const Value& value, const std::string& at,
                                           int depth)
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
        if (const Value* condition = schema.find("if")) {
            const char* key = mismatch(*condition, value, at, depth + 1) ? "else" : "then";
            if (const Value* then = schema.find(key))
                return mismatch(*then, value, at, depth + 1);
        }
        return std::nullopt;
    }

    std::optional<std::string> wrongObject(const Value& schema, const Value& value, const std::string& at,
                                           int depth)
    {
        if (schema["required"].isList())
            for (const Value& key : schema["required"].asList())
                if (key.isString() && value.find(key.asString()) == nullptr)
                    return (at.empty() ? "the answer" : at) + ": \"" + key.asString() + "\" is missing";
        if (auto wrong = wrongDependents(schema, value, at, depth))
            return wrong;
        const Value* const names = schema.find("propertyNames");
        // Nobody knows here which fields a pattern names, so none is refused for being unknown.
        const Value* rest =
            schema.find("patternProperties") == nullptr ? schema.find("additionalProperties") : nullptr;
        for (const auto& [key, item] : value.asMap()) {
            if (!key.isString())
                continue;
            const std::string place = at + "/" + jsonPointerToken(key.asString());
            if (names != nullptr)
                if (auto wrong = mismatch(*names, key, place, depth + 1))
                    return wrong;
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

    std::optional<std::string> wrongDependents(const Value& schema, const Value& value, const std::string& at,
                                               int depth)
    {
        if (const Value& needs = schema["dependentRequired"]; needs.isMap())
            for (const auto& [key, others] : needs.asMap())
                if (key.isString() && others.isList() && value.find(key.asString()) != nullptr)
                    for (const Value& other : others.asList())
                        if (other.isString() && value.find(other.asString()) == nullptr)
                            return (at.empty() ? "the answer" : at) + ": \"" + other.asString()
                                + "\" is missing, which \"" + key.asString() + "\" needs";
        if (const Value& needs = schema["dependentSchemas"]; needs.isMap())
            for (const auto& [key, other] : needs.asMap())
                if (key.isString() && value.find(key.asString()) != nullptr)
                    if (auto wrong = mismatch(other, value, at, depth + 1))
                        return wrong;
        return std::nullopt;
    }

    std::optional<std::string> wrongList(const Value& schema, const Value& value, const std::string& at,
                                         int depth)
    {
        const ValueList& list = value.asList();
        // Older schemas have the first items' schemas in "items", and that of the rest in "additionalItems".
        const bool isOld = schema["items"].isList();
        const Value& first = schema[isOld ? "items" : "prefixItems"];
        const std::size_t firsts = first.isList() ? std::min(first.asList().size(), list.size()) : 0;
        for (std::size_t i = 0; i < firsts; ++i)
            if (auto wrong = mismatch(first[i], list[i], at + "/" + std::to_string(i), depth + 1))
                return wrong;
        if (const Value* items = schema.find(isOld ? "additionalItems" : "items"))
            for (std::size_t i = firsts; i < list.size(); ++i)
                if (auto wrong = mismatch(*items, list[i], at + "/" + std::to_string(i), depth + 1))
                    return wrong;
        if (schema["uniqueItems"] == Value(true))
            for (std::size_t i = 0; i < list.size(); ++i) {
                m_work += i / 8;
                if (hasGivenUp())
                    return std::string();
                if (std::any_of(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i),
                                [&](const Value& other) { return isEqual(other, list[i]); }))
                    return told(at, list[i], "occurs twice");
            }
        return wrongContained(schema, value, at, depth);
    }

    std::optional<std::string> wrongContained(const Value& schema, const Value& value, const std::string& at,
                                              int depth)
    {
        const Value* wanted = schema.find("contains");
        if (wanted == nullptr)
            return std::nullopt;
        std::int64_t found = 0;
        for (const Value& item : value.asList())
            found += mismatch(*wanted, item, at, depth + 1) ? 0 : 1;
        if (found < schema.intOr("minContains", 1))
            return told(at, value, "holds too few items that \"contains\" wants");
        if (schema["maxContains"].isInt() && found > schema["maxContains"].asInt())
            return told(at, value, "holds too many items that \"contains\" wants");
        return std::nullopt;
    }

    const Value& m_root;
    std::size_t m_work = 0;
    bool m_isTooDeep = false;
};

} // namespace

std::optional<std::string> schemaMismatch(const Value& schema, const Value& value)
{
    Check check(schema);
    auto why = check.mismatch(schema, value, {}, 0);
    if (check.hasGivenUp())
        return "the schema cannot be checked: it refers to itself without end, or asks for millions of "
               "checks";
    return why;
}

} // namespace sg::models
