#include "core/checkpoint/serde/legacy_json.h"

#include "core/checkpoint/serde/langgraph_types.h"
#include "core/checkpoint/serde/python_object.h"

#include <optional>
#include <utility>

namespace sg::checkpoint {

namespace {

// In an envelope "method" is a name, or [null, "construct"] for pydantic models.
std::string methodName(const Value& envelope)
{
    const Value& method = envelope["method"];
    if (method.isString())
        return method.asString();
    if (!method.isList())
        return {};
    for (const Value& name : method.asList()) {
        if (name.isString())
            return name.asString();
    }
    return {};
}

std::optional<Value> fromKeywords(PythonObject object, const std::string& method, const Value& kwargs)
{
    if (object.name == "Send" && kwargs["node"].isString())
        return makeSend(kwargs["node"].asString(), kwargs["arg"]);
    object.argument = kwargs;
    if (method == "construct")
        object.how = PythonExt::PydanticV1;
    else if (method == "model_construct") {
        object.how = PythonExt::PydanticV2;
        object.method = "model_validate_json";
    } else
        object.how = PythonExt::KeywordArguments;
    return makePythonObject(object);
}

std::optional<Value> fromArguments(PythonObject object, const std::string& method, const ValueList& args)
{
    if (args.size() == 1) {
        object.how = method.empty() ? PythonExt::OneArgument : PythonExt::Method;
        object.method = method;
        object.argument = args[0];
    } else {
        object.how = PythonExt::Arguments;
        object.argument = Value(args);
    }
    return makePythonObject(object);
}

std::optional<Value> fromEnvelope(const Value& envelope)
{
    const Value& id = envelope["id"];
    if (envelope.stringOr("type", "") != "constructor" || !id.isList() || id.asList().size() < 2)
        return std::nullopt;
    PythonObject object;
    for (const Value& part : id.asList()) {
        if (!part.isString())
            return std::nullopt;
        object.module += (object.module.empty() ? "" : ".") + object.name;
        object.name = part.asString();
    }
    const Value& kwargs = envelope["kwargs"];
    const Value& args = envelope["args"];
    if (envelope.intOr("lc", 0) == 1) {
        const bool isMessage = object.name.ends_with("Message") && kwargs.isMap();
        return isMessage ? makeMessage(kwargs.asMap()) : std::nullopt;
    }
    if (envelope.intOr("lc", 0) != 2)
        return std::nullopt;
    if (kwargs.isMap() && !kwargs.asMap().empty())
        return fromKeywords(std::move(object), methodName(envelope), kwargs);
    return fromArguments(std::move(object), methodName(envelope),
                         args.isList() ? args.asList() : ValueList());
}

} // namespace

Value withoutEnvelopes(const Value& value)
{
    if (value.isList()) {
        ValueList items;
        items.reserve(value.asList().size());
        for (const Value& item : value.asList())
            items.push_back(withoutEnvelopes(item));
        return Value(std::move(items));
    }
    if (!value.isMap())
        return value;
    ValueMap entries;
    entries.reserve(value.asMap().size());
    for (const auto& [key, entry] : value.asMap())
        entries.set(key, withoutEnvelopes(entry));
    Value map(std::move(entries));
    auto object = fromEnvelope(map);
    return object ? std::move(*object) : map;
}

} // namespace sg::checkpoint
