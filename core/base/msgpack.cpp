#include "core/base/msgpack.h"

#include <msgpack.hpp>

#include <algorithm>
#include <bit>
#include <limits>

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

// Heads of a length of 8, 16 and 32 bits; 0 where the form does not exist.
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

void putString(std::string& out, const std::string& text)
{
    if (text.size() < 32)
        putByte(out, 0xA0U | static_cast<unsigned>(text.size()));
    else
        putLength(out, text.size(), 0xD9, 0xDA, 0xDB);
    out += text;
}

constexpr std::uint32_t kMaxReserved = 64; // entries; more than that is allocated only as it really comes

// Holds the containers that are open.
class Builder : public msgpack::null_visitor {
public:
    explicit Builder(std::size_t depth)
        : m_maxDepth(depth)
    {
    }

    bool visit_nil() { return place(Value()); }
    bool visit_boolean(bool value) { return place(value); }
    bool visit_positive_integer(std::uint64_t value) { return place(std::size_t{ value }); }
    bool visit_negative_integer(std::int64_t value) { return place(value); }
    bool visit_float32(float value) { return place(static_cast<double>(value)); }
    bool visit_float64(double value) { return place(value); }
    bool visit_str(const char* text, std::uint32_t size) { return place(std::string(text, size)); }
    bool visit_bin(const char* bytes, std::uint32_t size) { return place(Bytes{ std::string(bytes, size) }); }
    bool visit_ext(const char* bytes, std::uint32_t size) // the code, then the payload
    {
        return place(Ext{ static_cast<std::int8_t>(bytes[0]), std::string(bytes + 1, size - 1) });
    }

    bool start_array(std::uint32_t count) { return open(false, count); }
    bool start_map(std::uint32_t count) { return open(true, count); }
    bool end_array() { return close(); }
    bool end_map() { return close(); }

    [[nodiscard]] bool isTooDeep() const { return m_tooDeep; }
    Value take() { return std::move(m_root); }

private:
    struct Level {
        bool isMap = false;
        bool hasKey = false;
        ValueList list;
        ValueMap map;
        Value key;
    };

    bool open(bool isMap, std::uint32_t count)
    {
        if (m_levels.size() >= m_maxDepth) {
            m_tooDeep = true;
            return false;
        }
        Level& level = m_levels.emplace_back();
        level.isMap = isMap;
        if (isMap)
            level.map.reserve(std::min(count, kMaxReserved));
        else
            level.list.reserve(std::min(count, kMaxReserved));
        return true;
    }

    bool close()
    {
        Level level = std::move(m_levels.back());
        m_levels.pop_back();
        return place(level.isMap ? Value(std::move(level.map)) : Value(std::move(level.list)));
    }

    bool place(Value value)
    {
        if (m_levels.empty()) {
            m_root = std::move(value);
            return true;
        }
        Level& level = m_levels.back();
        if (!level.isMap) {
            level.list.push_back(std::move(value));
        } else if (level.hasKey) {
            level.map.set(std::move(level.key), std::move(value));
            level.hasKey = false;
        } else {
            level.key = std::move(value);
            level.hasKey = true;
        }
        return true;
    }

    const std::size_t m_maxDepth;
    std::vector<Level> m_levels;
    Value m_root;
    bool m_tooDeep = false;
};

Error corrupt(std::string why)
{
    return { Errc::Corrupt, "MessagePack data: " + std::move(why) };
}

} // namespace

void appendMsgpack(std::string& out, const Value& value)
{
    switch (value.kind()) {
    case Value::Kind::Null: putByte(out, 0xC0); break;
    case Value::Kind::Bool: putByte(out, value.asBool() ? 0xC3 : 0xC2); break;
    case Value::Kind::Int: putInt(out, value.asInt()); break;
    case Value::Kind::Unsigned: putUnsigned(out, value.asUnsigned()); break;
    case Value::Kind::Double: putBigEndian(out, 0xCB, std::bit_cast<std::uint64_t>(value.asDouble())); break;
    case Value::Kind::String: putString(out, value.asString()); break;
    case Value::Kind::Bytes:
        putLength(out, value.asBytes().size(), 0xC4, 0xC5, 0xC6);
        out += value.asBytes();
        break;
    case Value::Kind::Ext: putExt(out, value.asExt()); break;
    case Value::Kind::List:
        if (value.asList().size() < 16)
            putByte(out, 0x90U | static_cast<unsigned>(value.asList().size()));
        else
            putLength(out, value.asList().size(), 0, 0xDC, 0xDD);
        for (const Value& item : value.asList())
            appendMsgpack(out, item);
        break;
    case Value::Kind::Map:
        if (value.asMap().size() < 16)
            putByte(out, 0x80U | static_cast<unsigned>(value.asMap().size()));
        else
            putLength(out, value.asMap().size(), 0, 0xDE, 0xDF);
        for (const auto& [key, item] : value.asMap()) {
            appendMsgpack(out, key);
            appendMsgpack(out, item);
        }
        break;
    }
}

std::string encodeMsgpack(const Value& value)
{
    std::string out;
    appendMsgpack(out, value);
    return out;
}

Result<Value> decodeMsgpack(std::string_view bytes, const MsgpackLimits& limits)
{
    if (bytes.size() > limits.bytes)
        return corrupt(std::to_string(bytes.size()) + " bytes; at most " + std::to_string(limits.bytes)
                       + " are accepted");
    Builder builder(limits.depth);
    std::size_t offset = 0;
    try {
        if (msgpack::parse(bytes.data(), bytes.size(), offset, builder)) {
            if (offset == bytes.size())
                return builder.take();
            return corrupt(std::to_string(bytes.size() - offset) + " bytes follow the value");
        }
    } catch (const msgpack::unpack_error& error) {
        return corrupt(error.what());
    }
    if (builder.isTooDeep())
        return corrupt("more than " + std::to_string(limits.depth) + " levels of nesting");
    return corrupt("it ends in the middle of a value or holds an unknown type (near byte "
                   + std::to_string(offset) + " of " + std::to_string(bytes.size()) + ")");
}

} // namespace sg
