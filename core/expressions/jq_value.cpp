#include "core/expressions/jq_value.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sg::expressions {

namespace {

constexpr double kExact = 9007199254740992.0; // 2^53
constexpr int kDeepest = 256;

jv stringJv(const std::string& text)
{
    return jv_string_sized(
        text.data(), static_cast<int>(std::min<std::size_t>(text.size(), std::numeric_limits<int>::max())));
}

Value numberValue(double number)
{
    if (std::isnan(number))
        return nullptr;
    if (std::isinf(number))
        return std::copysign(std::numeric_limits<double>::max(), number);
    if (std::abs(number) <= kExact && std::trunc(number) == number)
        return static_cast<std::int64_t>(number);
    return number;
}

std::string textOf(jv text)
{
    return { jv_string_value(text), static_cast<std::size_t>(jv_string_length_bytes(jv_copy(text))) };
}

// Does not consume `value`. False: it is nested too deep.
bool convert(jv value, int depth, Value& out)
{
    if (depth > kDeepest)
        return false;
    switch (jv_get_kind(value)) {
    case JV_KIND_INVALID:
    case JV_KIND_NULL: out = nullptr; return true;
    case JV_KIND_FALSE: out = false; return true;
    case JV_KIND_TRUE: out = true; return true;
    case JV_KIND_NUMBER: out = numberValue(jv_number_value(value)); return true;
    case JV_KIND_STRING: out = textOf(value); return true;
    case JV_KIND_ARRAY: {
        ValueList list(static_cast<std::size_t>(jv_array_length(jv_copy(value))));
        for (std::size_t i = 0; i < list.size(); ++i) {
            const jv item = jv_array_get(jv_copy(value), static_cast<int>(i));
            const bool fits = convert(item, depth + 1, list[i]);
            jv_free(item);
            if (!fits)
                return false;
        }
        out = std::move(list);
        return true;
    }
    case JV_KIND_OBJECT: {
        ValueMap map;
        for (int at = jv_object_iter(value); jv_object_iter_valid(value, at);
             at = jv_object_iter_next(value, at)) {
            const jv key = jv_object_iter_key(value, at);
            const jv item = jv_object_iter_value(value, at);
            Value converted;
            const bool fits = convert(item, depth + 1, converted);
            if (fits)
                map.set(textOf(key), std::move(converted));
            jv_free(key);
            jv_free(item);
            if (!fits)
                return false;
        }
        out = std::move(map);
        return true;
    }
    }
    return true;
}

} // namespace

jv toJv(const Value& value)
{
    switch (value.kind()) {
    case Value::Kind::Bool: return jv_bool(value.asBool() ? 1 : 0);
    case Value::Kind::Int:
    case Value::Kind::Unsigned:
    case Value::Kind::Double: return jv_number(value.asDouble());
    case Value::Kind::String: return stringJv(value.asString());
    case Value::Kind::List: {
        jv list = jv_array_sized(static_cast<int>(value.asList().size()));
        for (const Value& item : value.asList())
            list = jv_array_append(list, toJv(item));
        return list;
    }
    case Value::Kind::Map: {
        jv object = jv_object();
        for (const auto& [key, item] : value.asMap())
            object = jv_object_set(object, stringJv(key.asString()), toJv(item));
        return object;
    }
    case Value::Kind::Null:
    case Value::Kind::Bytes:
    case Value::Kind::Ext: break;
    }
    return jv_null();
}

Result<Value> fromJv(jv value)
{
    Value out;
    const bool fits = convert(value, 0, out);
    jv_free(value);
    if (!fits)
        return Error{ Errc::InvalidArgument, "jq: error: the result is nested deeper than 256 levels" };
    return out;
}

} // namespace sg::expressions
