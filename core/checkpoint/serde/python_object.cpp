#include "core/checkpoint/serde/python_object.h"

#include "core/base/msgpack.h"
#include "core/base/msgpack_reader.h"

#include <utility>

namespace sg::checkpoint {

namespace {

bool hasMethod(PythonExt how)
{
    return how == PythonExt::Method || how == PythonExt::PydanticV2;
}

} // namespace

std::optional<PythonObject> asPythonObject(const Ext& ext)
{
    if (ext.code < 0 || ext.code > static_cast<std::int8_t>(PythonExt::PydanticV2))
        return std::nullopt;
    MsgpackReader reader(ext.payload, MsgpackLimits().depth - 1);
    const auto size = reader.listSize();
    PythonObject object;
    object.how = static_cast<PythonExt>(ext.code);
    if (!size || *size < (object.how == PythonExt::Method ? 4U : 3U))
        return std::nullopt;
    const auto module = reader.text();
    const auto name = module ? reader.text() : std::nullopt;
    auto argument = name ? reader.value() : std::nullopt;
    if (!argument)
        return std::nullopt;
    object.module = *module;
    object.name = *name;
    object.argument = *std::move(argument);
    for (std::uint32_t i = 3; i < *size; ++i) {
        const auto part = reader.value();
        if (!part)
            return std::nullopt;
        if (i == 3 && hasMethod(object.how) && part->isString())
            object.method = part->asString();
    }
    return reader.atEnd() ? std::optional(std::move(object)) : std::nullopt;
}

std::optional<PythonName> pythonNameOf(const Ext& ext)
{
    MsgpackReader reader(ext.payload, MsgpackLimits().depth - 1);
    const auto size = reader.listSize();
    const auto module = size && *size >= 3 ? reader.text() : std::nullopt;
    const auto name = module ? reader.text() : std::nullopt;
    return name ? std::optional(PythonName{ *module, *name }) : std::nullopt;
}

std::optional<PythonObject> asPythonObject(const Value& value)
{
    return value.isExt() ? asPythonObject(value.asExt()) : std::nullopt;
}

Value makePythonObject(const PythonObject& object)
{
    Ext ext;
    ext.code = static_cast<std::int8_t>(object.how);
    appendMsgpackListHead(ext.payload, hasMethod(object.how) ? 4 : 3);
    appendMsgpackText(ext.payload, object.module);
    appendMsgpackText(ext.payload, object.name);
    appendMsgpack(ext.payload, object.argument);
    if (hasMethod(object.how))
        appendMsgpackText(ext.payload, object.method);
    return Value(std::move(ext));
}

} // namespace sg::checkpoint
