#include "core/checkpoint/serde/python_view.h"

#include "core/base/json.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace sg::checkpoint {

namespace {

// Negative and absurd numbers in a hostile payload are shown as they are.
std::string padded(std::int64_t number, int width)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%0*lld", width, static_cast<long long>(number));
    return text.data();
}

std::int64_t intAt(const Value& list, std::size_t index)
{
    const Value& item = list[index];
    return item.isInt() ? item.asInt() : 0;
}

// Writes "+05:30" for a described timedelta.
std::string offsetText(const Value& timedelta)
{
    const Value& fields = timedelta["$timedelta"];
    const std::int64_t days = fields.intOr("days", 0);
    if (days < -1 || days > 0)
        return "?";
    const std::int64_t seconds = days * 86400 + fields.intOr("seconds", 0);
    if (std::llabs(seconds) > 86400)
        return "?";
    const std::int64_t minutes = std::llabs(seconds) / 60;
    return (seconds < 0 ? "-" : "+") + padded(minutes / 60, 2) + ":" + padded(minutes % 60, 2);
}

Value timezoneText(const Value& args)
{
    if (args[1].isString())
        return args[1];
    const std::string offset = offsetText(args[0]);
    return Value(offset == "+00:00" ? "UTC" : "UTC" + offset);
}

Value timeText(const Value& fields)
{
    std::string text = padded(fields.intOr("hour", 0), 2) + ":" + padded(fields.intOr("minute", 0), 2) + ":"
        + padded(fields.intOr("second", 0), 2);
    if (const auto micros = fields.intOr("microsecond", 0); micros != 0)
        text += "." + padded(micros, 6);
    if (const Value& zone = fields["tzinfo"]; zone.isString())
        text += zone.asString() == "UTC" ? "+00:00" : " " + zone.asString();
    return Value(text);
}

Value pathText(const Value& parts, char separator)
{
    if (!parts.isList())
        return parts;
    std::string text;
    for (const Value& part : parts.asList()) {
        if (!text.empty() && text.back() != separator)
            text += separator;
        text += part.isString() ? part.asString() : toJson(part);
    }
    return Value(text.empty() ? "." : text);
}

Value uuidTextOf(const Value& hex)
{
    if (!hex.isString() || hex.asString().size() != 32)
        return hex;
    std::string text = hex.asString();
    for (const std::size_t at : { 20U, 16U, 12U, 8U })
        text.insert(at, "-");
    return Value(text);
}

Value named(const PythonObject& object)
{
    return Value::map({ { "$object", object.module + "." + object.name }, { "value", object.argument } });
}

bool isScalar(const Value& value)
{
    return !value.isList() && !value.isMap();
}

Value viewOfOneArgument(const PythonObject& object)
{
    const Value& argument = object.argument;
    if (object.is("uuid", "UUID"))
        return uuidTextOf(argument);
    if (object.is("builtins", "set") || object.is("builtins", "frozenset"))
        return Value::map({ { "$set", argument } });
    if (object.is("collections", "deque"))
        return argument;
    if (object.module.starts_with("pydantic") && object.name.starts_with("Secret"))
        return "**********"; // as pydantic prints it
    return isScalar(argument) ? argument : named(object); // enum, Decimal, ZoneInfo, IPv4Address, …
}

Value viewOfArguments(const PythonObject& object)
{
    const Value& args = object.argument;
    if (object.name == "Send" && object.module.starts_with("langgraph."))
        return Value::map({ { "$send", Value::map({ { "node", args[0] }, { "arg", args[1] } }) } });
    if (object.is("datetime", "timedelta")) {
        const Value fields = Value::map({ { "days", intAt(args, 0) },
                                          { "seconds", intAt(args, 1) },
                                          { "microseconds", intAt(args, 2) } });
        return Value::map({ { "$timedelta", fields } });
    }
    if (object.is("datetime", "date"))
        return Value(padded(intAt(args, 0), 4) + "-" + padded(intAt(args, 1), 2) + "-"
                     + padded(intAt(args, 2), 2));
    if (object.is("datetime", "timezone"))
        return timezoneText(args);
    if (object.is("re", "compile"))
        return Value::map({ { "$regex", args[0] }, { "flags", args[1] } });
    if (object.module.starts_with("pathlib"))
        return pathText(args, object.name.find("Windows") == std::string::npos ? '/' : '\\');
    return named(object);
}

Value viewOfKeywords(const PythonObject& object)
{
    const Value& fields = object.argument;
    if (object.is("datetime", "time"))
        return timeText(fields);
    if (object.module.starts_with("langgraph.")) {
        if (object.name == "Interrupt")
            return Value::map({ { "value", fields["value"] }, { "id", fields["id"] } });
        if (object.name == "Command")
            return Value::map({ { "$command", fields } });
        if (object.name == "Overwrite")
            return Value::map({ { "$overwrite", fields["value"] } });
    }
    return fields; // dataclass, namedtuple
}

} // namespace

Value viewOfPythonObject(const PythonObject& object)
{
    switch (object.how) {
    case PythonExt::OneArgument: return viewOfOneArgument(object);
    case PythonExt::Arguments: return viewOfArguments(object);
    case PythonExt::KeywordArguments: return viewOfKeywords(object);
    case PythonExt::Method: return object.is("datetime", "datetime") ? object.argument : named(object);
    case PythonExt::PydanticV1:
    case PythonExt::PydanticV2: return object.argument;
    case PythonExt::NumpyArray:
    case PythonExt::DeltaSnapshot: break;
    }
    return named(object);
}

std::optional<Value> viewOfNumpyArray(const Value& payload)
{
    if (!payload[0].isString() || !payload[1].isList() || !payload[3].isBytes())
        return std::nullopt;
    const auto size = static_cast<std::int64_t>(payload[3].asBytes().size());
    const Value fields = Value::map(
        { { "dtype", payload[0] }, { "shape", payload[1] }, { "order", payload[2] }, { "bytes", size } });
    return Value::map({ { "$numpy", fields } });
}

} // namespace sg::checkpoint
