#include "core/base/msgpack_reader.h"

#include <algorithm>
#include <bit>

namespace sg {
namespace {

constexpr std::uint64_t kMaxReserved = 64; // items; memory for more is allocated only as they are read

std::int64_t signedOf(std::uint64_t bits, std::size_t bytes)
{
    const std::size_t unused = 64 - 8 * bytes;
    return static_cast<std::int64_t>(bits << unused) >> unused;
}

} // namespace

std::optional<std::string_view> MsgpackReader::take(std::uint64_t count)
{
    if (count > m_bytes.size() - m_at)
        return std::nullopt;
    const std::string_view taken = m_bytes.substr(m_at, count);
    m_at += count;
    return taken;
}

bool MsgpackReader::bigEndian(std::size_t count, std::uint64_t& bits)
{
    const auto taken = take(count);
    if (!taken)
        return false;
    bits = 0;
    for (const char byte : *taken)
        bits = bits << 8U | static_cast<std::uint8_t>(byte);
    return true;
}

bool MsgpackReader::readSized(Head& head, Type type, std::size_t lengthBytes)
{
    head.type = type;
    return bigEndian(lengthBytes, head.bits);
}

bool MsgpackReader::readHead(Head& head)
{
    if (atEnd())
        return false;
    const auto byte = static_cast<std::uint8_t>(m_bytes[m_at++]);
    const auto set = [&head](Type type, std::uint64_t bits) {
        head = { type, bits };
        return true;
    };
    if (byte < 0x80)
        return set(Type::Int, byte);
    if (byte < 0x90)
        return set(Type::Map, byte & 0x0FU);
    if (byte < 0xA0)
        return set(Type::List, byte & 0x0FU);
    if (byte < 0xC0)
        return set(Type::Text, byte & 0x1FU);
    if (byte >= 0xE0)
        return set(Type::Int, static_cast<std::uint64_t>(signedOf(byte, 1)));
    switch (byte) {
    case 0xC0: return set(Type::Null, 0);
    case 0xC2: return set(Type::Bool, 0);
    case 0xC3: return set(Type::Bool, 1);
    case 0xC4: return readSized(head, Type::Bytes, 1);
    case 0xC5: return readSized(head, Type::Bytes, 2);
    case 0xC6: return readSized(head, Type::Bytes, 4);
    case 0xC7: return readSized(head, Type::Ext, 1);
    case 0xC8: return readSized(head, Type::Ext, 2);
    case 0xC9: return readSized(head, Type::Ext, 4);
    case 0xCA: return readFloat(head);
    case 0xCB: return readSized(head, Type::Double, 8);
    case 0xCC:
    case 0xCD:
    case 0xCE:
    case 0xCF:
    case 0xD0:
    case 0xD1:
    case 0xD2:
    case 0xD3: return readNumber(head, byte);
    case 0xD4: return set(Type::Ext, 1);
    case 0xD5: return set(Type::Ext, 2);
    case 0xD6: return set(Type::Ext, 4);
    case 0xD7: return set(Type::Ext, 8);
    case 0xD8: return set(Type::Ext, 16);
    case 0xD9: return readSized(head, Type::Text, 1);
    case 0xDA: return readSized(head, Type::Text, 2);
    case 0xDB: return readSized(head, Type::Text, 4);
    case 0xDC: return readSized(head, Type::List, 2);
    case 0xDD: return readSized(head, Type::List, 4);
    case 0xDE: return readSized(head, Type::Map, 2);
    case 0xDF: return readSized(head, Type::Map, 4);
    default: return false; // 0xC1 is not used
    }
}

// Tags 0xCC to 0xCF are unsigned numbers of 1, 2, 4 and 8 bytes, the next four signed ones.
bool MsgpackReader::readNumber(Head& head, std::uint8_t tag)
{
    const std::size_t bytes = std::size_t{ 1 } << (tag & 3U);
    std::uint64_t bits = 0;
    if (!bigEndian(bytes, bits))
        return false;
    head = tag < 0xD0 ? Head{ Type::Unsigned, bits }
                      : Head{ Type::Int, static_cast<std::uint64_t>(signedOf(bits, bytes)) };
    return true;
}

bool MsgpackReader::readFloat(Head& head)
{
    std::uint64_t bits = 0;
    if (!bigEndian(4, bits))
        return false;
    const double wide = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    head = { Type::Double, std::bit_cast<std::uint64_t>(wide) };
    return true;
}

bool MsgpackReader::readList(std::uint64_t count, Value& value)
{
    ValueList list;
    list.reserve(std::min(count, kMaxReserved));
    for (; count > 0; --count)
        if (!read(list.emplace_back()))
            return false;
    value = Value(std::move(list));
    return true;
}

bool MsgpackReader::readMap(std::uint64_t count, Value& value)
{
    ValueMap map;
    map.reserve(std::min(count, kMaxReserved));
    for (; count > 0; --count) {
        Value key;
        Value item;
        if (!read(key) || !read(item))
            return false;
        map.set(std::move(key), std::move(item));
    }
    value = Value(std::move(map));
    return true;
}

bool MsgpackReader::count(Type type)
{
    constexpr std::size_t kOfTexts = 3;
    constexpr std::size_t kOfLists = 5;
    const std::size_t units = type < Type::Text ? 1 : type < Type::List ? kOfTexts : kOfLists;
    m_tooMany = units > m_units;
    m_units -= m_tooMany ? 0 : units;
    return !m_tooMany;
}

bool MsgpackReader::read(Value& value)
{
    Head head;
    if (!readHead(head) || !count(head.type))
        return false;
    switch (head.type) {
    case Type::Null: return true;
    case Type::Bool: value = Value(head.bits != 0); return true;
    case Type::Int: value = Value(static_cast<std::int64_t>(head.bits)); return true;
    case Type::Unsigned: value = Value(std::size_t{ head.bits }); return true;
    case Type::Double: value = Value(std::bit_cast<double>(head.bits)); return true;
    case Type::Text:
    case Type::Bytes:
    case Type::Ext: break;
    case Type::List:
    case Type::Map: {
        if (m_depth == 0) {
            m_tooDeep = true;
            return false;
        }
        --m_depth;
        const bool whole = head.type == Type::List ? readList(head.bits, value) : readMap(head.bits, value);
        ++m_depth;
        return whole;
    }
    }
    const auto bytes = take(head.bits + (head.type == Type::Ext ? 1 : 0)); // an ext's code comes first
    if (!bytes)
        return false;
    if (head.type == Type::Text)
        value = Value(*bytes);
    else if (head.type == Type::Bytes)
        value = Value(Bytes{ std::string(*bytes) });
    else
        value = Value(Ext{ static_cast<std::int8_t>(bytes->front()), std::string(bytes->substr(1)) });
    return true;
}

std::optional<Value> MsgpackReader::value()
{
    Value read;
    return this->read(read) ? std::optional(std::move(read)) : std::nullopt;
}

bool MsgpackReader::skip()
{
    Head head;
    if (!readHead(head))
        return false;
    switch (head.type) {
    case Type::Text:
    case Type::Bytes: return take(head.bits).has_value();
    case Type::Ext: return take(head.bits + 1).has_value();
    case Type::List:
    case Type::Map: {
        if (m_depth == 0) {
            m_tooDeep = true;
            return false;
        }
        --m_depth;
        bool whole = true;
        for (std::uint64_t left = head.bits * (head.type == Type::Map ? 2 : 1); whole && left > 0; --left)
            whole = skip();
        ++m_depth;
        return whole;
    }
    case Type::Null:
    case Type::Bool:
    case Type::Int:
    case Type::Unsigned:
    case Type::Double: break;
    }
    return true;
}

std::optional<std::string_view> MsgpackReader::text()
{
    Head head;
    return readHead(head) && head.type == Type::Text ? take(head.bits) : std::nullopt;
}

std::optional<std::uint32_t> MsgpackReader::listSize()
{
    Head head;
    return readHead(head) && head.type == Type::List ? std::optional(static_cast<std::uint32_t>(head.bits))
                                                     : std::nullopt;
}

std::optional<std::uint32_t> MsgpackReader::mapSize()
{
    Head head;
    return readHead(head) && head.type == Type::Map ? std::optional(static_cast<std::uint32_t>(head.bits))
                                                    : std::nullopt;
}

} // namespace sg
