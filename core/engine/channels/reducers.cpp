#include "core/engine/channels/reducers.h"

#include "core/base/msgpack.h"
#include "core/engine/channels/messages.h"
#include "core/engine/channels/typed_values.h"
#include "core/engine/errors/python_text.h"

#include <cmath>
#include <compare>
#include <cstdint>
#include <map>

namespace sg::engine {
namespace {

using graph::Reducer;

bool countsAsInteger(const Value& value)
{
    return value.isBool() || value.isInt() || value.kind() == Value::Kind::Unsigned;
}

bool countsAsNumber(const Value& value)
{
    return value.isBool() || value.isNumber();
}

__extension__ using Wide = __int128; // holds any sum or product of two 64-bit integers

Wide wideOf(const Value& value)
{
    if (value.isBool())
        return value.asBool() ? 1 : 0;
    return value.isInt() ? Wide(value.asInt()) : Wide(value.asUnsigned());
}

double doubleOf(const Value& value)
{
    return value.isBool() ? (value.asBool() ? 1.0 : 0.0) : value.asDouble();
}

Failure typeError(const char* operation, const Value& a, const Value& b)
{
    return { "TypeError",
             std::string("unsupported operand type(s) for ") + operation + ": '" + pythonTypeName(a)
                 + "' and '" + pythonTypeName(b) + "'" };
}

std::optional<Failure> assignInteger(Value& target, Wide result)
{
    if (result < Wide(INT64_MIN) || result > Wide(UINT64_MAX))
        return Failure{ "TypeError", "Integer exceeds 64-bit range" };
    target = result <= Wide(INT64_MAX) ? Value(static_cast<std::int64_t>(result))
                                       : Value(static_cast<std::size_t>(result));
    return std::nullopt;
}

// Does Python's a + b for the values that state can hold; add, append and concat all use it.
std::optional<Failure> plus(Value& value, const Value& write)
{
    if (value.isList() && write.isList()) {
        ValueList& list = value.editList();
        const ValueList& more = write.asList();
        list.insert(list.end(), more.begin(), more.end());
        return std::nullopt;
    }
    if (countsAsInteger(value) && countsAsInteger(write))
        return assignInteger(value, wideOf(value) + wideOf(write));
    if (countsAsNumber(value) && countsAsNumber(write)) {
        value = Value(doubleOf(value) + doubleOf(write));
        return std::nullopt;
    }
    if (value.isString() && write.isString()) {
        value = Value(value.asString() + write.asString());
        return std::nullopt;
    }
    if (value.isBytes() && write.isBytes()) {
        value = Value(Bytes{ value.asBytes() + write.asBytes() });
        return std::nullopt;
    }
    if (auto sum = value.isExt() || write.isExt() ? sumOfTyped(value, write) : std::nullopt) {
        value = *std::move(sum);
        return std::nullopt;
    }
    return typeError("+", value, write);
}

template<typename Sequence>
Sequence repeated(const Sequence& sequence, Wide times)
{
    Sequence out;
    for (Wide i = 0; i < times; ++i)
        out.insert(out.end(), sequence.begin(), sequence.end());
    return out;
}

std::optional<Failure> times(Value& value, Value write)
{
    if (countsAsInteger(value) && countsAsInteger(write)) {
        Wide result = 0;
        if (__builtin_mul_overflow(wideOf(value), wideOf(write), &result))
            return Failure{ "TypeError", "Integer exceeds 64-bit range" };
        return assignInteger(value, result);
    }
    if (countsAsNumber(value) && countsAsNumber(write)) {
        value = Value(doubleOf(value) * doubleOf(write));
        return std::nullopt;
    }
    if (countsAsInteger(value) && (write.isString() || write.isList()))
        std::swap(value, write);
    if (!countsAsInteger(write) || !(value.isString() || value.isList()))
        return typeError("*", value, write);
    const Wide size = value.isString() ? Wide(value.asString().size()) : Wide(value.asList().size());
    if (size * wideOf(write) > Wide(1) << 30)
        return Failure{ "MemoryError", "the repeated value would exceed 1 GiB" };
    value = value.isString() ? Value(repeated(value.asString(), wideOf(write)))
                             : Value(repeated(value.asList(), wideOf(write)));
    return std::nullopt;
}

std::optional<std::partial_ordering> compare(const Value& a, const Value& b)
{
    if (countsAsInteger(a) && countsAsInteger(b))
        return wideOf(a) <=> wideOf(b);
    if (countsAsNumber(a) && countsAsNumber(b))
        return doubleOf(a) <=> doubleOf(b);
    if (a.isString() && b.isString())
        return a.asString() <=> b.asString();
    if (a.isBytes() && b.isBytes())
        return a.asBytes() <=> b.asBytes();
    if (a.isExt() || b.isExt())
        return orderOfTyped(a, b);
    if (!a.isList() || !b.isList())
        return std::nullopt;
    const ValueList& left = a.asList();
    const ValueList& right = b.asList();
    for (std::size_t i = 0; i < left.size() && i < right.size(); ++i) {
        if (left[i] == right[i])
            continue;
        const auto order = compare(left[i], right[i]);
        if (!order || *order != std::partial_ordering::equivalent)
            return order;
    }
    return left.size() <=> right.size();
}

std::optional<Failure> choose(Value& value, Value write, bool greater)
{
    const auto order = compare(value, write);
    if (!order)
        return Failure{ "TypeError",
                        std::string("'") + (greater ? ">=" : "<=") + "' not supported between instances of '"
                            + pythonTypeName(value) + "' and '" + pythonTypeName(write) + "'" };
    if (greater ? !std::is_gteq(*order) : !std::is_lteq(*order))
        value = std::move(write);
    return std::nullopt;
}

std::optional<Failure> merge(Value& value, const Value& write)
{
    if (!value.isMap() || !write.isMap())
        return Failure{ "TypeError",
                        "'" + pythonTypeName(value.isMap() ? write : value) + "' object is not a mapping" };
    ValueMap& map = value.editMap();
    for (const auto& [key, item] : write.asMap())
        map.set(key, item);
    return std::nullopt;
}

std::optional<Failure> unite(Value& value, const Value& write)
{
    std::map<std::string, Value> byText;
    for (const Value* side : { static_cast<const Value*>(&value), &write }) {
        const auto items = itemsOf(*side);
        if (!items)
            return Failure{ "TypeError", "Value after * must be an iterable, not " + pythonTypeName(*side) };
        for (const Value& item : *items)
            byText.insert_or_assign(sortedJson(item), item);
    }
    ValueList items;
    items.reserve(byText.size());
    for (auto& entry : byText)
        items.push_back(std::move(entry.second));
    value = Value(std::move(items));
    return std::nullopt;
}

} // namespace

std::optional<Failure> reduce(Reducer reducer, Value& value, Value write, Random& random)
{
    if (write.isExt() && reducer != Reducer::AddMessages) // a tuple can be one message
        write = asStored(std::move(write));
    if (value.isExt())
        value = asStored(std::move(value));
    switch (reducer) {
    case Reducer::Add:
    case Reducer::Append:
    case Reducer::Concat: return plus(value, write);
    case Reducer::Max: return choose(value, std::move(write), true);
    case Reducer::Min: return choose(value, std::move(write), false);
    case Reducer::Mul: return times(value, std::move(write));
    case Reducer::Merge: return merge(value, write);
    case Reducer::Union: return unite(value, write);
    case Reducer::Last: value = std::move(write); return std::nullopt;
    case Reducer::AddMessages: {
        MessageIds unknown;
        return addMessages(value, write, random, unknown);
    }
    }
    return std::nullopt;
}

std::optional<Value> initialValue(const graph::Channel& channel)
{
    if (channel.hasDefault) {
        if (channel.defaultValue.isNull())
            return std::nullopt;
        return channel.defaultValue;
    }
    switch (channel.reducer) {
    case Reducer::Add:
    case Reducer::Max:
    case Reducer::Min:
    case Reducer::Mul: return Value(0);
    case Reducer::Append:
    case Reducer::Union:
    case Reducer::AddMessages: return Value(ValueList());
    case Reducer::Concat: return Value("");
    case Reducer::Merge: return Value(ValueMap());
    case Reducer::Last: return std::nullopt;
    }
    return std::nullopt;
}

} // namespace sg::engine
