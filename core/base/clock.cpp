#include "core/base/clock.h"

#include "core/base/random_bytes.h"

#include <array>
#include <cstdio>
#include <thread>

namespace sg {

WallTime SystemClock::now() const
{
    return std::chrono::system_clock::now();
}

SteadyTime SystemClock::steady() const
{
    return std::chrono::steady_clock::now();
}

void SystemClock::sleep(Millis duration) const
{
    std::this_thread::sleep_for(duration);
}

SystemRandom::SystemRandom()
{
    std::array<std::uint32_t, 16> words{};
    fillRandomBytes(words.data(), sizeof words);
    std::seed_seq seed(words.begin(), words.end());
    m_engine.seed(seed);
}

std::uint64_t SystemRandom::next()
{
    const std::lock_guard lock(m_mutex);
    return m_engine();
}

std::string isoTime(WallTime time)
{
    using namespace std::chrono;
    const auto micros = floor<microseconds>(time);
    const auto day = floor<days>(micros);
    const year_month_day date(day);
    const hh_mm_ss clock(micros - day);
    std::array<char, 64> text{};
    int length =
        std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d",
                      static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                      static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                      static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()));
    std::string result(text.data(), static_cast<std::size_t>(length));
    if (const auto fraction = clock.subseconds().count(); fraction != 0) {
        length = std::snprintf(text.data(), text.size(), ".%06d", static_cast<int>(fraction));
        result.append(text.data(), static_cast<std::size_t>(length));
    }
    return result + "+00:00";
}

} // namespace sg
