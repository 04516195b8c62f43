#include "core/checkpoint/serde/langgraph_types.h"

#include "core/base/msgpack.h"
#include "core/checkpoint/serde/python_object.h"

#include <utility>

namespace sg::checkpoint {

namespace {

constexpr const char* kTypesModule = "langgraph.types";
constexpr const char* kOverwriteKey = "__overwrite__";

bool isCode(const Value& value, PythonExt how)
{
    return value.isExt() && value.asExt().code == static_cast<std::int8_t>(how);
}

// Older releases kept the same classes in langgraph.constants and langgraph.graph.
std::optional<PythonObject> langgraphObject(const Value& value, PythonExt how, std::string_view name)
{
    if (!isCode(value, how))
        return std::nullopt;
    auto object = asPythonObject(value.asExt());
    if (!object || object->name != name || !object->module.starts_with("langgraph."))
        return std::nullopt;
    return object;
}

Value makeDataclass(const char* name, ValueMap fields)
{
    return makePythonObject(
        { PythonExt::KeywordArguments, kTypesModule, name, Value(std::move(fields)), {} });
}

} // namespace

Value makeSend(std::string_view node, const Value& arg)
{
    return makePythonObject(
        { PythonExt::Arguments, kTypesModule, "Send", Value(ValueList{ Value(node), arg }), {} });
}

std::optional<SendView> asSend(const Value& value)
{
    const auto object = langgraphObject(value, PythonExt::Arguments, "Send");
    if (!object || !object->argument.isList())
        return std::nullopt;
    const ValueList& args = object->argument.asList();
    if (args.size() < 2 || !args[0].isString())
        return std::nullopt;
    SendView send{ args[0].asString(), args[1], std::nullopt };
    if (args.size() > 2)
        send.timeout = args[2];
    return send;
}

Value makeInterrupt(const Value& value, std::string_view id)
{
    return makeDataclass("Interrupt", { { "value", value }, { "id", id }, { "response_schema", {} } });
}

std::optional<InterruptView> asInterrupt(const Value& value)
{
    const auto object = langgraphObject(value, PythonExt::KeywordArguments, "Interrupt");
    if (!object || !object->argument.isMap())
        return std::nullopt;
    const Value& fields = object->argument;
    return InterruptView{ fields["value"], fields.stringOr("id", ""), fields["response_schema"] };
}

Value makeCommand(const CommandView& command)
{
    return makeDataclass("Command",
                         { { "graph", command.graph },
                           { "update", command.update },
                           { "resume", command.resume },
                           { "goto", command.goTo } });
}

std::optional<CommandView> asCommand(const Value& value)
{
    const auto object = langgraphObject(value, PythonExt::KeywordArguments, "Command");
    if (!object || !object->argument.isMap())
        return std::nullopt;
    const Value& fields = object->argument;
    CommandView command{ fields["graph"], fields["update"], fields["resume"], Value(ValueList()) };
    if (const Value* goTo = fields.find("goto"); goTo != nullptr && !goTo->isNull())
        command.goTo = *goTo;
    return command;
}

Value makeOverwrite(const Value& value)
{
    return makeDataclass("Overwrite", { { "value", value }, { "type", kOverwriteKey } });
}

std::optional<Value> asOverwrite(const Value& value)
{
    if (value.isMap()) {
        const ValueMap& map = value.asMap();
        if (const Value* payload = map.find(kOverwriteKey); payload != nullptr && map.size() == 1)
            return *payload;
        const Value* type = map.find("type");
        const Value* payload = map.find("value");
        if (type != nullptr && payload != nullptr && type->isString() && type->asString() == kOverwriteKey)
            return *payload;
        return std::nullopt;
    }
    const auto object = langgraphObject(value, PythonExt::KeywordArguments, "Overwrite");
    if (!object)
        return std::nullopt;
    const Value* payload = object->argument.find("value");
    return payload != nullptr ? std::optional(*payload) : std::nullopt;
}

Value makeSet(ValueList items)
{
    ValueMap seen;
    ValueList unique;
    unique.reserve(items.size());
    for (Value& item : items) {
        if (seen.find(item) != nullptr)
            continue;
        seen.set(item, {});
        unique.push_back(std::move(item));
    }
    return makePythonObject({ PythonExt::OneArgument, "builtins", "set", Value(std::move(unique)), {} });
}

std::optional<ValueList> asSet(const Value& value)
{
    if (!isCode(value, PythonExt::OneArgument))
        return std::nullopt;
    auto object = asPythonObject(value.asExt());
    if (!object || !(object->is("builtins", "set") || object->is("builtins", "frozenset"))
        || !object->argument.isList())
        return std::nullopt;
    return std::move(object->argument.editList());
}

std::optional<Value> asDeltaSnapshot(const Value& value)
{
    if (!isCode(value, PythonExt::DeltaSnapshot))
        return std::nullopt;
    auto decoded = decodeMsgpack(value.asExt().payload);
    return decoded ? std::optional(std::move(*decoded)) : std::nullopt;
}

} // namespace sg::checkpoint
