#include "core/expressions/input_check.h"

#include "core/base/json.h"
#include "core/expressions/fields_read.h"

#include <optional>
#include <string>

namespace sg::expressions {

namespace {

constexpr std::int64_t kLargestExact = std::int64_t{ 1 } << 53;
constexpr int kDeepestInput = 256;

class Check {
public:
    // Returns false at the first value that does not fit; the pointer is built on the way out.
    bool fits(const Value& value, int depth)
    {
        if (depth > kDeepestInput)
            return refuse("is nested deeper than 256 levels");
        switch (value.kind()) {
        case Value::Kind::Null:
        case Value::Kind::Bool:
        case Value::Kind::Double:
        case Value::Kind::String: return true;
        case Value::Kind::Int:
            if (value.asInt() <= kLargestExact && value.asInt() >= -kLargestExact)
                return true;
            return refuse(tooLarge(std::to_string(value.asInt())));
        case Value::Kind::Unsigned: return refuse(tooLarge(std::to_string(value.asUnsigned())));
        case Value::Kind::Bytes: return refuse("holds bytes, which cannot be used in a jq program");
        case Value::Kind::Ext:
            return refuse("holds a value of extension type " + std::to_string(value.asExt().code)
                          + ", which cannot be used in a jq program");
        case Value::Kind::List: return fitsList(value.asList(), depth);
        case Value::Kind::Map: return fitsMap(value.asMap(), depth);
        }
        return true;
    }

    [[nodiscard]] Error error() const
    {
        return { Errc::InvalidArgument,
                 "jq input: " + (m_pointer.empty() ? "the value" : m_pointer) + " " + m_reason };
    }

private:
    static std::string tooLarge(const std::string& number)
    {
        return "is " + number + ": jq rounds integers beyond 2^53; pass it as a string, or use a Python node";
    }

    bool refuse(std::string reason)
    {
        m_reason = std::move(reason);
        return false;
    }

    bool fitsList(const ValueList& list, int depth)
    {
        for (std::size_t i = 0; i < list.size(); ++i)
            if (!fits(list[i], depth + 1)) {
                m_pointer.insert(0, "/" + std::to_string(i));
                return false;
            }
        return true;
    }

    bool fitsMap(const ValueMap& map, int depth)
    {
        for (const auto& [key, value] : map) {
            if (!key.isString())
                return refuse("has the key " + toJson(key)
                              + ", which is no string: jq knows string keys only");
            if (!fits(value, depth + 1)) {
                m_pointer.insert(0, "/" + jsonPointerToken(key.asString()));
                return false;
            }
        }
        return true;
    }

    std::string m_reason;
    std::string m_pointer;
};

} // namespace

Result<void> checkJqInput(const Value& input)
{
    Check check;
    if (!check.fits(input, 0))
        return check.error();
    return {};
}

Result<std::optional<Value>> fittedJqInput(const std::string& program, const Value& input)
{
    auto fits = checkJqInput(input);
    if (fits)
        return std::optional<Value>();
    const auto read = input.isMap() ? fieldsRead(program) : std::nullopt;
    if (!read)
        return std::move(fits.error());
    ValueMap fitted;
    for (const auto& [key, value] : input.asMap())
        if (key.isString() && read->contains(key.asString()))
            fitted.set(key, value);
    if (fits = checkJqInput(Value(fitted)); !fits)
        return std::move(fits.error());
    return std::optional(Value(std::move(fitted)));
}

} // namespace sg::expressions
