#include "core/checkpoint/serde/plain_data.h"

#include "core/checkpoint/serde/inert.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sg::checkpoint {
namespace {

bool isJson(const Value& value)
{
    switch (value.kind()) {
    case Value::Kind::Double: return std::isfinite(value.asDouble());
    case Value::Kind::List: return std::ranges::all_of(value.asList(), isJson);
    case Value::Kind::Map:
        return std::ranges::all_of(value.asMap(), [](const auto& entry) { return isJson(entry.second); });
    default: return true;
    }
}

// JSON has no infinity, and null would look like a missing value.
Value inJson(const Value& value)
{
    if (value.isDouble() && !std::isfinite(value.asDouble()))
        return std::isnan(value.asDouble()) ? "NaN" : value.asDouble() > 0 ? "Infinity" : "-Infinity";
    if (value.isList()) {
        ValueList list;
        for (const Value& item : value.asList())
            list.push_back(inJson(item));
        return list;
    }
    if (value.isMap()) {
        ValueMap map;
        for (const auto& [key, item] : value.asMap())
            map.set(key, inJson(item));
        return Value(std::move(map));
    }
    return value;
}

} // namespace

Value plain(const Value& value)
{
    Value shown = plainValue(value);
    return isJson(shown) ? shown : inJson(shown);
}

} // namespace sg::checkpoint
