#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sg::fuzz {

// Cuts an input into fields: two bytes length (little-endian), then so many bytes, or what is left.
class Pieces {
public:
    Pieces(const std::uint8_t* data, std::size_t size)
        : m_left(reinterpret_cast<const char*>(data), size)
    {
    }
    std::uint8_t byte() { return static_cast<std::uint8_t>(take(1).empty() ? 0 : m_taken.front()); }
    std::string_view field()
    {
        const std::size_t low = byte();
        return take(low | static_cast<std::size_t>(byte()) << 8U);
    }
    std::string_view rest() { return take(m_left.size()); }
    [[nodiscard]] bool empty() const { return m_left.empty(); }

private:
    std::string_view take(std::size_t count)
    {
        m_taken = m_left.substr(0, std::min(count, m_left.size()));
        m_left.remove_prefix(m_taken.size());
        return m_taken;
    }

    std::string_view m_left;
    std::string_view m_taken;
};

inline std::string_view textOf(const std::uint8_t* data, std::size_t size)
{
    return { reinterpret_cast<const char*>(data), size };
}

} // namespace sg::fuzz
