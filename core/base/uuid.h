#pragma once

#include "core/base/clock.h"

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace sg {

using Uuid = std::array<std::uint8_t, 16>;

std::string uuidText(const Uuid& uuid); // 8-4-4-4-12, lower case
std::optional<Uuid> parseUuid(std::string_view text);
Uuid uuid4(Random& random);
Uuid uuid7(WallTime now, Random& random); // RFC 9562: milliseconds, then chance
Uuid uuid5(const Uuid& space, std::string_view name);

// Makes checkpoint ids: uuid6 as LangGraph makes them (60-bit time, strictly rising per source, clock_seq =
// step & 0x3fff, 48 random bits). Any thread.
class Uuid6Source {
public:
    Uuid6Source(const Clock& clock, Random& random);
    std::string next(std::int64_t step);

private:
    const Clock& m_clock;
    Random& m_random;
    std::mutex m_mutex;
    std::uint64_t m_last = 0; // guarded by m_mutex; 100 ns ticks since 1582-10-15
};

} // namespace sg
