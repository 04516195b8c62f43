#include "core/graph/codecs.h"

#include "core/graph/near_name.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sg::graph {

namespace {

constexpr double kExactInteger = 9007199254740992.0; // 2^53

const char* kindName(const Value& value)
{
    switch (value.kind()) {
    case Value::Kind::Null: return "null";
    case Value::Kind::Bool: return "true or false";
    case Value::Kind::Int:
    case Value::Kind::Unsigned:
    case Value::Kind::Double: return "a number";
    case Value::Kind::String: return "a string";
    case Value::Kind::List: return "a list";
    case Value::Kind::Map: return "an object";
    case Value::Kind::Bytes:
    case Value::Kind::Ext: break;
    }
    return "binary data";
}

bool isIdentityMap(const TargetsCodec::Type& targets)
{
    return !targets.empty() && std::ranges::all_of(targets, [](const auto& target) {
        return target.first == target.second.value;
    });
}

} // namespace

void reportForm(Reading& reading, const Place& place, const char* expected, const Value& found)
{
    reading.error(place, "wrong-type", "expected " + std::string(expected) + ", not " + kindName(found));
}

bool TextCodec::read(const Value& value, const Place& place, Reading& reading, Type& out)
{
    if (!value.isString()) {
        reportForm(reading, place, "a string", value);
        return false;
    }
    out = value.asString();
    return true;
}

bool NodeIdCodec::read(const Value& value, const Place& place, Reading& reading, Type& out)
{
    return TextCodec::read(value, place, reading, out.value);
}

bool FlagCodec::read(const Value& value, const Place& place, Reading& reading, Type& out)
{
    if (!value.isBool()) {
        reportForm(reading, place, "true or false", value);
        return false;
    }
    out = value.asBool();
    return true;
}

bool CountCodec::read(const Value& value, const Place& place, Reading& reading, Type& out)
{
    std::int64_t wide = 0;
    if (!LongCodec::read(value, place, reading, wide))
        return false;
    if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max()) {
        reading.error(place, "bad-number", std::to_string(wide) + " is out of range");
        return false;
    }
    out = static_cast<int>(wide);
    return true;
}

bool LongCodec::read(const Value& value, const Place& place, Reading& reading, Type& out)
{
    if (!value.isInt()) {
        reading.error(place, "wrong-type", "expected a whole number");
        return false;
    }
    out = value.asInt();
    return true;
}

bool NumberCodec::read(const Value& value, const Place& place, Reading& reading, Type& out)
{
    if (!value.isNumber()) {
        reportForm(reading, place, "a number", value);
        return false;
    }
    if (!std::isfinite(value.asDouble())) {
        reading.error(place, "bad-number", "the number is too large");
        return false;
    }
    out = value.asDouble();
    return true;
}

Value NumberCodec::write(const Type& number)
{
    if (std::abs(number) < kExactInteger && std::trunc(number) == number)
        return static_cast<std::int64_t>(number);
    return number;
}

bool NamesCodec::read(const Value& value, const Place& place, Reading& reading, Type& out)
{
    if (!value.isList()) {
        reportForm(reading, place, "a list of names", value);
        return false;
    }
    Type names;
    names.reserve(value.asList().size());
    bool whole = true;
    for (std::size_t i = 0; i < value.asList().size(); ++i) {
        std::string name;
        whole = TextCodec::read(value[i], Place(place, i), reading, name) && whole;
        names.push_back(std::move(name));
    }
    if (whole)
        out = std::move(names);
    return whole;
}

Value NamesCodec::write(const Type& names)
{
    return ValueList(names.begin(), names.end());
}

bool RequirementsCodec::read(const Value& value, const Place& place, Reading& reading, Type& out)
{
    if (!value.isList() && !value.isString()) {
        reportForm(reading, place, "a list of requirements (\"networkx==3.3\") or a requirements file's path",
                   value);
        return false;
    }
    Type found;
    if (value.isString())
        found.file = value.asString();
    else if (!NamesCodec::read(value, place, reading, found.lines))
        return false;
    out = std::move(found);
    return true;
}

Value RequirementsCodec::write(const Type& requirements)
{
    return requirements.file.empty() ? NamesCodec::write(requirements.lines) : Value(requirements.file);
}

bool InterruptsCodec::read(const Value& value, const Place& place, Reading& reading, Type& out)
{
    if (value.isString() && value.asString() == "*") {
        out = { "*" };
        return true;
    }
    if (!value.isList()) {
        reportForm(reading, place, "a list of node names or \"*\"", value);
        return false;
    }
    return NamesCodec::read(value, place, reading, out);
}

Value InterruptsCodec::write(const Type& names)
{
    return names == Type{ "*" } ? Value("*") : NamesCodec::write(names);
}

bool ChannelTypeCodec::read(const Value& value, const Place& place, Reading& reading, Type& out)
{
    std::string name;
    if (!TextCodec::read(value, place, reading, name))
        return false;
    const auto type = channelTypeNamed(name);
    if (type)
        out = *type;
    else
        reading.error(place, "bad-channel-type",
                      "unknown channel type '" + name + "'" + didYouMean(name, channelTypeNames()));
    return type.has_value();
}

bool ReducerCodec::read(const Value& value, const Place& place, Reading& reading, Type& out)
{
    std::string name;
    if (!TextCodec::read(value, place, reading, name))
        return false;
    const auto reducer = reducerNamed(name);
    if (reducer) {
        out = *reducer;
        return true;
    }
    std::string message = "unknown reducer '" + name + "'" + didYouMean(name, reducerNames());
    if (!nearName(name, reducerNames())) {
        message += "; one of";
        for (const auto known : reducerNames())
            message += " " + std::string(known);
    }
    reading.error(place, "bad-reducer", std::move(message));
    return false;
}

bool ChannelStorageCodec::read(const Value& value, const Place& place, Reading& reading, Type& out)
{
    std::string name;
    if (!TextCodec::read(value, place, reading, name))
        return false;
    if (name != "full" && name != "delta") {
        reading.error(place, "bad-setting", "unknown storage '" + name + "'; one of full delta");
        return false;
    }
    out = name == "delta" ? ChannelStorage::Delta : ChannelStorage::Full;
    return true;
}

bool CheckpointerCodec::read(const Value& value, const Place& place, Reading& reading, Type& out)
{
    if (!value.isNull() && !value.isBool()) {
        reportForm(reading, place, "null, true or false", value);
        return false;
    }
    out = value.isNull() ? Checkpointer::Inherit : value.asBool() ? Checkpointer::Own : Checkpointer::None;
    return true;
}

Value CheckpointerCodec::write(const Type& checkpointer)
{
    return checkpointer == Checkpointer::Inherit ? Value() : Value(checkpointer == Checkpointer::Own);
}

bool TargetsCodec::read(const Value& value, const Place& place, Reading& reading, Type& out)
{
    Type targets;
    if (value.isList()) {
        NamesCodec::Type names;
        if (!NamesCodec::read(value, place, reading, names))
            return false;
        targets.reserve(names.size());
        for (std::string& name : names)
            targets.emplace_back(name, NodeId(name));
    } else if (value.isMap()) {
        bool whole = true;
        targets.reserve(value.asMap().size());
        for (const auto& [label, target] : value.asMap()) {
            NodeId node;
            whole = NodeIdCodec::read(target, Place(place, label.asString()), reading, node) && whole;
            targets.emplace_back(label.asString(), std::move(node));
        }
        if (!whole)
            return false;
    } else {
        reportForm(reading, place, "an object of label and node, or a list of nodes", value);
        return false;
    }
    out = std::move(targets);
    return true;
}

Value TargetsCodec::write(const Type& targets)
{
    if (isIdentityMap(targets)) {
        ValueList names;
        names.reserve(targets.size());
        for (const auto& [label, node] : targets)
            names.emplace_back(label);
        return names;
    }
    ValueMap map;
    for (const auto& [label, node] : targets)
        map.set(label, node.value);
    return map;
}

bool EdgeCodec::read(const Value& value, const Place& place, Reading& reading, Type& out)
{
    if (!value.isList() || value.asList().size() != 2) {
        reading.error(place, "bad-edge",
                      "an edge is [from, to], or [[from, …], to] where it waits for several nodes");
        return false;
    }
    Edge edge;
    const Place fromPlace(place, std::size_t{ 0 });
    if (value[0].isList()) {
        NamesCodec::Type names;
        if (!NamesCodec::read(value[0], fromPlace, reading, names))
            return false;
        if (names.empty()) {
            reading.error(fromPlace, "bad-edge", "a waiting edge names at least one node to wait for");
            return false;
        }
        edge.waiting = true;
        edge.from.reserve(names.size());
        for (std::string& name : names)
            edge.from.emplace_back(std::move(name));
    } else if (!NodeIdCodec::read(value[0], fromPlace, reading, edge.from.emplace_back())) {
        return false;
    }
    if (!NodeIdCodec::read(value[1], Place(place, 1), reading, edge.to))
        return false;
    out = std::move(edge);
    return true;
}

Value EdgeCodec::write(const Type& edge)
{
    ValueList starts;
    starts.reserve(edge.from.size());
    for (const NodeId& id : edge.from)
        starts.emplace_back(id.value);
    const bool asList = edge.waiting || starts.size() != 1;
    return Value::list({ asList ? Value(std::move(starts)) : starts.front(), edge.to.value });
}

bool ConditionsCodec::read(const Value& value, const Place& place, Reading& reading, Type& out)
{
    if (!value.isMap()) {
        reportForm(reading, place, "an object of \"before\" and \"after\"", value);
        return false;
    }
    Type conditions;
    const auto readOne = [&](const char* key, Conditions& into) {
        const Value* list = value.find(key);
        if (list == nullptr)
            return true;
        const Place at(place, key);
        if (!list->isMap()) {
            reportForm(reading, at, "an object of node and jq program", *list);
            return false;
        }
        bool whole = true;
        for (const auto& [node, program] : list->asMap()) {
            std::string text;
            whole = TextCodec::read(program, Place(at, node.asString()), reading, text) && whole;
            into.emplace_back(node.asString(), std::move(text));
        }
        return whole;
    };
    const bool before = readOne("before", conditions.before);
    const bool after = readOne("after", conditions.after);
    if (before && after)
        out = std::move(conditions);
    return before && after;
}

Value ConditionsCodec::write(const Type& conditions)
{
    ValueMap map;
    for (const auto& [key, list] :
         { std::pair("before", &conditions.before), std::pair("after", &conditions.after) }) {
        ValueMap programs;
        for (const auto& [node, program] : *list)
            programs.set(node, program);
        if (!programs.empty())
            map.set(key, std::move(programs));
    }
    return map;
}

bool SettingsCodec::read(const Value& value, const Place& place, Reading& reading, Type& out)
{
    if (!value.isMap() && !value.isNull()) {
        reportForm(reading, place, "an object", value);
        return false;
    }
    out = value;
    return true;
}

} // namespace sg::graph
