#include "core/base/msgpack.h"

#include "core/base/msgpack_reader.h"

#include <bit>
#include <limits>
#include <optional>

namespace sg {
namespace {

void putByte(std::string& out, unsigned byte)
{
    out += static_cast<char>(byte);
}

template<typename Unsigned>
void putBigEndian(std::string& out, unsigned head, Unsigned bits)
{
    char bytes[1 + sizeof bits];
    bytes[0] = static_cast<char>(head);
    for (std::size_t i = 0; i < sizeof bits; ++i)
        bytes[1 + i] = static_cast<char>(bits >> (8 * (sizeof bits - 1 - i)));
    out.append(bytes, sizeof bytes);
}

void putUnsigned(std::string& out, std::uint64_t number)
{
    if (number < 0x80)
        putByte(out, static_cast<unsigned>(number));
    else if (number <= 0xFF)
        putBigEndian(out, 0xCC, static_cast<std::uint8_t>(number));
    else if (number <= 0xFFFF)
        putBigEndian(out, 0xCD, static_cast<std::uint16_t>(number));
    else if (number <= 0xFFFFFFFF)
        putBigEndian(out, 0xCE, static_cast<std::uint32_t>(number));
    else
        putBigEndian(out, 0xCF, number);
}

void putInt(std::string& out, std::int64_t number)
{
    if (number >= 0)
        putUnsigned(out, static_cast<std::uint64_t>(number));
    else if (number >= -32)
        putByte(out, static_cast<unsigned>(number) & 0xFFU);
    else if (number >= std::numeric_limits<std::int8_t>::min())
        putBigEndian(out, 0xD0, static_cast<std::uint8_t>(number));
    else if (number >= std::numeric_limits<std::int16_t>::min())
        putBigEndian(out, 0xD1, static_cast<std::uint16_t>(number));
    else if (number >= std::numeric_limits<std::int32_t>::min())
        putBigEndian(out, 0xD2, static_cast<std::uint32_t>(number));
    else
        putBigEndian(out, 0xD3, static_cast<std::uint64_t>(number));
}

// The arguments are the heads of lengths of 8, 16 and 32 bits; 0 if there is no such form.
void putLength(std::string& out, std::size_t length, unsigned head8, unsigned head16, unsigned head32)
{
    if (head8 != 0 && length <= 0xFF)
        putBigEndian(out, head8, static_cast<std::uint8_t>(length));
    else if (length <= 0xFFFF)
        putBigEndian(out, head16, static_cast<std::uint16_t>(length));
    else
        putBigEndian(out, head32, static_cast<std::uint32_t>(length));
}

void putExt(std::string& out, const Ext& ext)
{
    switch (ext.payload.size()) {
    case 1: putByte(out, 0xD4); break;
    case 2: putByte(out, 0xD5); break;
    case 4: putByte(out, 0xD6); break;
    case 8: putByte(out, 0xD7); break;
    case 16: putByte(out, 0xD8); break;
    default: putLength(out, ext.payload.size(), 0xC7, 0xC8, 0xC9);
    }
    out += static_cast<char>(ext.code);
    out += ext.payload;
}

Error corrupt(std::string why)
{
    return { Errc::Corrupt, "MessagePack data: " + std::move(why) };
}

} // namespace

void appendMsgpackText(std::string& out, std::string_view text)
{
    if (text.size() < 32)
        putByte(out, 0xA0U | static_cast<unsigned>(text.size()));
    else
        putLength(out, text.size(), 0xD9, 0xDA, 0xDB);
    out += text;
}

void appendMsgpackListHead(std::string& out, std::size_t count)
{
    if (count < 16)
        putByte(out, 0x90U | static_cast<unsigned>(count));
    else
        putLength(out, count, 0, 0xDC, 0xDD);
}

void appendMsgpackMapHead(std::string& out, std::size_t count)
{
    if (count < 16)
        putByte(out, 0x80U | static_cast<unsigned>(count));
    else
        putLength(out, count, 0, 0xDE, 0xDF);
}

namespace {

enum class Types { Stored, OfRun };

// Each Ext is decoded by a decoder of its own, so the decoder's depth limit alone bounds nothing.
constexpr int kDeepestTuple = 64;

// Returns the content of a tuple or a numpy scalar; nullopt if the payload does not have that form.
std::optional<Value> storedFormOf(const Ext& ext)
{
    if (ext.code != kTupleExt && ext.code != kNumpyScalarExt)
        return std::nullopt;
    auto payload = decodeMsgpack(ext.payload);
    if (!payload || !payload->isList())
        return std::nullopt;
    if (ext.code == kTupleExt)
        return std::move(*payload);
    return payload->asList().size() == 2 ? std::optional((*payload)[1]) : std::nullopt;
}

template<Types kTypes>
void append(std::string& out, const Value& value, int tuples = 0)
{
    switch (value.kind()) {
    case Value::Kind::Null: putByte(out, 0xC0); break;
    case Value::Kind::Bool: putByte(out, value.asBool() ? 0xC3 : 0xC2); break;
    case Value::Kind::Int: putInt(out, value.asInt()); break;
    case Value::Kind::Unsigned: putUnsigned(out, value.asUnsigned()); break;
    case Value::Kind::Double: putBigEndian(out, 0xCB, std::bit_cast<std::uint64_t>(value.asDouble())); break;
    case Value::Kind::String: appendMsgpackText(out, value.asString()); break;
    case Value::Kind::Bytes:
        putLength(out, value.asBytes().size(), 0xC4, 0xC5, 0xC6);
        out += value.asBytes();
        break;
    case Value::Kind::Ext:
        if constexpr (kTypes == Types::Stored) {
            if (auto stored = tuples < kDeepestTuple ? storedFormOf(value.asExt()) : std::nullopt) {
                append<kTypes>(out, *stored, tuples + 1);
                break;
            }
        }
        putExt(out, value.asExt());
        break;
    case Value::Kind::List:
        appendMsgpackListHead(out, value.asList().size());
        for (const Value& item : value.asList())
            append<kTypes>(out, item, tuples);
        break;
    case Value::Kind::Map:
        appendMsgpackMapHead(out, value.asMap().size());
        for (const auto& [key, item] : value.asMap()) {
            append<kTypes>(out, key, tuples);
            append<kTypes>(out, item, tuples);
        }
        break;
    }
}

} // namespace

void appendMsgpack(std::string& out, const Value& value)
{
    append<Types::Stored>(out, value);
}

std::string encodeMsgpack(const Value& value)
{
    std::string out;
    append<Types::Stored>(out, value);
    return out;
}

std::string encodeMsgpackOfRun(const Value& value)
{
    std::string out;
    append<Types::OfRun>(out, value);
    return out;
}

Value asStored(Value value)
{
    if (!value.isExt())
        return value;
    auto stored = storedFormOf(value.asExt());
    return stored ? std::move(*stored) : value;
}

Result<Value> decodeMsgpack(std::string_view bytes, const MsgpackLimits& limits)
{
    if (bytes.size() > limits.bytes)
        return corrupt(std::to_string(bytes.size()) + " bytes; at most " + std::to_string(limits.bytes)
                       + " are accepted");
    MsgpackReader reader(bytes, limits.depth, limits.units);
    if (auto value = reader.value()) {
        if (reader.atEnd())
            return *std::move(value);
        return corrupt(std::to_string(bytes.size() - reader.position()) + " bytes follow the value");
    }
    if (reader.hadTooMany())
        return Error{ Errc::LimitExceeded, "MessagePack data: too many values in it" };
    if (reader.wasTooDeep())
        return corrupt("more than " + std::to_string(limits.depth) + " levels of nesting");
    return corrupt("it ends in the middle of a value or holds an unknown type (near byte "
                   + std::to_string(reader.position()) + " of " + std::to_string(bytes.size()) + ")");
}

} // namespace sg
