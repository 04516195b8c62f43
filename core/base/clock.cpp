#include "core/base/clock.h"

#include "core/base/random_bytes.h"

#include <array>
#include <cstddef>
#include <cstdint>
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
    std::string text = "0000-00-00T00:00:00";
    const auto put = [&text](std::size_t at, std::size_t digits, std::int64_t number) {
        for (std::size_t i = digits; i > 0; --i, number /= 10)
            text[at + i - 1] = static_cast<char>('0' + number % 10);
    };
    put(0, 4, static_cast<int>(date.year()));
    put(5, 2, static_cast<unsigned>(date.month()));
    put(8, 2, static_cast<unsigned>(date.day()));
    put(11, 2, clock.hours().count());
    put(14, 2, clock.minutes().count());
    put(17, 2, clock.seconds().count());
    if (const auto fraction = clock.subseconds().count(); fraction != 0) {
        text += ".000000";
        put(20, 6, fraction);
    }
    return text + "+00:00";
}

} // namespace sg
