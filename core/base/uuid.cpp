#include "core/base/uuid.h"

#include "core/base/hash.h"

#include <algorithm>

namespace sg {
namespace {

constexpr std::uint64_t kTicksTo1970 = 0x01B21DD213814000; // 100 ns ticks from 1582-10-15 to 1970-01-01

void setVersion(Uuid& uuid, unsigned version)
{
    uuid[6] = static_cast<std::uint8_t>((uuid[6] & 0x0FU) | version << 4U);
    uuid[8] = static_cast<std::uint8_t>((uuid[8] & 0x3FU) | 0x80U);
}

void storeBigEndian(Uuid& uuid, std::size_t from, std::size_t count, std::uint64_t bits)
{
    for (std::size_t i = 0; i < count; ++i)
        uuid[from + i] = static_cast<std::uint8_t>(bits >> (8 * (count - 1 - i)));
}

int hexDigit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool hasDashAt(std::size_t index)
{
    return index == 8 || index == 13 || index == 18 || index == 23;
}

} // namespace

std::string uuidText(const Uuid& uuid)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text(36, '-');
    std::size_t at = 0;
    for (const std::uint8_t byte : uuid) {
        if (hasDashAt(at))
            ++at;
        text[at++] = digits[byte >> 4U];
        text[at++] = digits[byte & 0xFU];
    }
    return text;
}

std::optional<Uuid> parseUuid(std::string_view text)
{
    if (text.size() != 36)
        return std::nullopt;
    Uuid uuid{};
    std::size_t digits = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (hasDashAt(i)) {
            if (text[i] != '-')
                return std::nullopt;
            continue;
        }
        const int digit = hexDigit(text[i]);
        if (digit < 0)
            return std::nullopt;
        std::uint8_t& byte = uuid[digits++ / 2];
        byte = static_cast<std::uint8_t>(byte << 4U | static_cast<unsigned>(digit));
    }
    return uuid;
}

Uuid uuid4(Random& random)
{
    Uuid uuid{};
    storeBigEndian(uuid, 0, 8, random.next());
    storeBigEndian(uuid, 8, 8, random.next());
    setVersion(uuid, 4);
    return uuid;
}

Uuid uuid7(WallTime now, Random& random)
{
    const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
    Uuid uuid{};
    storeBigEndian(uuid, 0, 8, (static_cast<std::uint64_t>(time) << 16U) | (random.next() & 0xFFFFU));
    storeBigEndian(uuid, 8, 8, random.next());
    setVersion(uuid, 7);
    return uuid;
}

Uuid uuid5(const Uuid& space, std::string_view name)
{
    std::string input(space.begin(), space.end());
    input += name;
    const std::string digest = sha1Bytes(input);
    Uuid uuid{};
    std::copy_n(digest.begin(), uuid.size(), uuid.begin());
    setVersion(uuid, 5);
    return uuid;
}

Uuid6Source::Uuid6Source(const Clock& clock, Random& random)
    : m_clock(clock)
    , m_random(random)
{
}

std::string Uuid6Source::next(std::int64_t step)
{
    using Ticks = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;
    const auto sinceEpoch = std::chrono::floor<Ticks>(m_clock.now().time_since_epoch()).count();
    const std::uint64_t now = kTicksTo1970 + static_cast<std::uint64_t>(sinceEpoch);
    const std::uint64_t node = m_random.next() & 0xFFFF'FFFF'FFFFULL;
    std::uint64_t ticks = 0;
    {
        const std::lock_guard lock(m_mutex);
        ticks = m_last = std::max(now, m_last + 1);
    }
    Uuid uuid{};
    storeBigEndian(uuid, 0, 6, ticks >> 12U);
    storeBigEndian(uuid, 6, 2, ticks & 0xFFFU);
    storeBigEndian(uuid, 8, 2, static_cast<std::uint64_t>(step) & 0x3FFFU);
    storeBigEndian(uuid, 10, 6, node);
    setVersion(uuid, 6);
    return uuidText(uuid);
}

} // namespace sg
