#include "core/checkpoint/serde/langgraph_types.h"

#include "core/base/msgpack.h"
#include "core/base/msgpack_reader.h"
#include "core/checkpoint/serde/python_object.h"

#include <algorithm>
#include <utility>

namespace sg::checkpoint {

namespace {

constexpr const char* kTypesModule = "langgraph.types";
constexpr std::string_view kLangGraphModules = "langgraph.";
constexpr const char* kOverwriteKey = "__overwrite__";

bool isCode(const Value& value, PythonExt how)
{
    return value.isExt() && value.asExt().code == static_cast<std::int8_t>(how);
}

// Older releases have the same classes in langgraph.constants and langgraph.graph.
std::optional<PythonObject> langgraphObject(const Value& value, PythonExt how, std::string_view name)
{
    if (!isCode(value, how))
        return std::nullopt;
    const auto found = pythonNameOf(value.asExt()); // looked up before the argument is built
    if (!found || found->name != name || !found->module.starts_with(kLangGraphModules))
        return std::nullopt;
    return asPythonObject(value.asExt());
}

// Reads [module, "Send", [node, arg, timeout?]] and checks its parts; fills `send` unless that is null.
std::optional<std::string_view> readSend(const Value& value, SendView* send)
{
    if (!isCode(value, PythonExt::Arguments))
        return std::nullopt;
    MsgpackReader reader(value.asExt().payload, MsgpackLimits().depth - 2);
    const auto parts = reader.listSize();
    const auto module = parts && *parts >= 3 ? reader.text() : std::nullopt;
    if (!module || !module->starts_with(kLangGraphModules) || reader.text() != "Send")
        return std::nullopt;
    const auto arguments = reader.listSize();
    const auto node = arguments && *arguments >= 2 ? reader.text() : std::nullopt;
    if (!node)
        return std::nullopt;
    std::uint64_t left = std::uint64_t{ *arguments } + *parts - 4;
    if (send != nullptr) {
        auto arg = reader.value();
        if (!arg)
            return std::nullopt;
        send->node = *node;
        send->arg = *std::move(arg);
        --left;
        if (*arguments > 2) {
            send->timeout = reader.value();
            if (!send->timeout)
                return std::nullopt;
            --left;
        }
    }
    for (; left > 0; --left)
        if (!reader.skip())
            return std::nullopt;
    return reader.atEnd() ? node : std::nullopt;
}

Value makeDataclass(const char* name, ValueMap fields)
{
    return makePythonObject(
        { PythonExt::KeywordArguments, kTypesModule, name, Value(std::move(fields)), {} });
}

} // namespace

Value makeSend(std::string_view node, const Value& arg)
{
    Ext ext;
    ext.code = static_cast<std::int8_t>(PythonExt::Arguments);
    ext.payload.reserve(64 + node.size());
    appendMsgpackListHead(ext.payload, 3);
    appendMsgpackText(ext.payload, kTypesModule);
    appendMsgpackText(ext.payload, "Send");
    appendMsgpackListHead(ext.payload, 2);
    appendMsgpackText(ext.payload, node);
    appendMsgpack(ext.payload, arg);
    return Value(std::move(ext));
}

std::optional<SendView> asSend(const Value& value)
{
    SendView send;
    return readSend(value, &send) ? std::optional(std::move(send)) : std::nullopt;
}

std::optional<std::string_view> sendNode(const Value& value)
{
    return readSend(value, nullptr);
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
    const bool isFew = items.size() <= 8; // searching a few is faster than hashing them
    for (Value& item : items) {
        if (isFew ? std::ranges::find(unique, item) != unique.end() : seen.find(item) != nullptr)
            continue;
        if (!isFew)
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
