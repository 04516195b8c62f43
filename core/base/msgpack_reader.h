#pragma once

#include "core/base/value.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sg {

// Reads MessagePack piece by piece, so that a caller need not build values that it only passes. Every
// function returns nullopt or false for input that is cut off, of another type, unknown or nested too deep;
// the reader is of no use after that. No memory is allocated for a length that the input does not have.
class MsgpackReader {
public:
    // `units` limits the values that are built, see MsgpackLimits.
    MsgpackReader(std::string_view bytes, std::size_t depth, std::size_t units = static_cast<std::size_t>(-1))
        : m_bytes(bytes)
        , m_depth(depth)
        , m_units(units)
    {
    }

    std::optional<Value> value();
    bool skip(); // skips one value, checked like the others
    std::optional<std::string_view> text();
    std::optional<std::uint32_t> listSize(); // its items follow
    std::optional<std::uint32_t> mapSize(); // its keys and values follow, in turn

    [[nodiscard]] bool atEnd() const { return m_at == m_bytes.size(); }
    [[nodiscard]] std::size_t position() const { return m_at; }
    [[nodiscard]] bool wasTooDeep() const { return m_tooDeep; }
    [[nodiscard]] bool hadTooMany() const { return m_tooMany; }

private:
    enum class Type : std::uint8_t { Null, Bool, Int, Unsigned, Double, Text, Bytes, Ext, List, Map };
    struct Head {
        Type type = Type::Null;
        std::uint64_t bits = 0; // a number's, a length, or a bool
    };

    bool read(Value& value);
    bool count(Type type);
    bool readHead(Head& head);
    bool readNumber(Head& head, std::uint8_t tag);
    bool readFloat(Head& head);
    bool readSized(Head& head, Type type, std::size_t lengthBytes);
    bool readList(std::uint64_t count, Value& value);
    bool readMap(std::uint64_t count, Value& value);
    std::optional<std::string_view> take(std::uint64_t count);
    bool bigEndian(std::size_t count, std::uint64_t& bits);

    const std::string_view m_bytes;
    std::size_t m_at = 0;
    std::size_t m_depth; // levels that may still open
    std::size_t m_units; // units that are left
    bool m_tooDeep = false;
    bool m_tooMany = false;
};

} // namespace sg
