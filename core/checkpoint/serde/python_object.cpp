#include "core/checkpoint/serde/python_object.h"

#include "core/base/msgpack.h"

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
    auto decoded = decodeMsgpack(ext.payload);
    if (!decoded || !decoded->isList())
        return std::nullopt;
    const ValueList& parts = decoded->asList();
    PythonObject object;
    object.how = static_cast<PythonExt>(ext.code);
    const bool complete = parts.size() >= (object.how == PythonExt::Method ? 4U : 3U);
    if (!complete || !parts[0].isString() || !parts[1].isString())
        return std::nullopt;
    object.module = parts[0].asString();
    object.name = parts[1].asString();
    object.argument = parts[2];
    if (hasMethod(object.how) && parts.size() > 3 && parts[3].isString())
        object.method = parts[3].asString();
    return object;
}

std::optional<PythonObject> asPythonObject(const Value& value)
{
    return value.isExt() ? asPythonObject(value.asExt()) : std::nullopt;
}

Value makePythonObject(const PythonObject& object)
{
    ValueList parts{ object.module, object.name, object.argument };
    if (hasMethod(object.how))
        parts.emplace_back(object.method);
    Ext ext;
    ext.code = static_cast<std::int8_t>(object.how);
    appendMsgpack(ext.payload, Value(std::move(parts)));
    return Value(std::move(ext));
}

} // namespace sg::checkpoint
