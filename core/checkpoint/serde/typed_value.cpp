#include "core/checkpoint/serde/typed_value.h"

#include "core/base/json.h"
#include "core/base/msgpack.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/serde/legacy_json.h"

#include <utility>

namespace sg::checkpoint {

std::string_view typeTagOf(const Value& value, std::string_view typeTag)
{
    if (value.isNull())
        return "null";
    if (value.isBytes())
        return typeTag == "bytearray" ? "bytearray" : "bytes";
    const bool isOpaque = value.isExt() && value.asExt().code == kOpaqueExt && !typeTag.empty();
    return isOpaque ? typeTag : "msgpack";
}

TypedBlob dumpsTyped(const Value& value, std::string_view typeTag)
{
    TypedBlob typed{ std::string(typeTagOf(value, typeTag)), {} };
    if (typed.type == "msgpack")
        appendMsgpack(typed.blob, value);
    else if (value.isBytes())
        typed.blob = value.asBytes();
    else if (value.isExt())
        typed.blob = value.asExt().payload;
    return typed;
}

Result<Value> loadsTyped(std::string_view type, std::string_view blob)
{
    if (type == "msgpack")
        return decodeMsgpack(blob);
    if (type == "null")
        return Value();
    if (type == "bytes" || type == "bytearray")
        return Value(Bytes{ std::string(blob) });
    if (type == "json") {
        auto parsed = parseJson(blob);
        if (!parsed)
            return Error{ Errc::Corrupt, parsed.error().message };
        return withoutEnvelopes(*parsed);
    }
    return Value(Ext{ kOpaqueExt, std::string(blob) });
}

} // namespace sg::checkpoint
