#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <random>
#include <string>

namespace sg {

using WallTime = std::chrono::system_clock::time_point;
using SteadyTime = std::chrono::steady_clock::time_point;
using Millis = std::chrono::milliseconds;

// Time and chance are passed in, so that a run can be repeated exactly. Any thread may use them.
class Clock {
public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual WallTime now() const = 0; // for display and ids
    [[nodiscard]] virtual SteadyTime steady() const = 0; // for durations and deadlines
    virtual void sleep(Millis duration) const = 0; // FakeClock returns at once and advances
};

class Random {
public:
    virtual ~Random() = default;
    virtual std::uint64_t next() = 0; // 64 uniform bits
};

class SystemClock final : public Clock {
public:
    [[nodiscard]] WallTime now() const override;
    [[nodiscard]] SteadyTime steady() const override;
    void sleep(Millis duration) const override;
};

class SystemRandom final : public Random { // seeded from the kernel once
public:
    SystemRandom();
    std::uint64_t next() override;

private:
    std::mutex m_mutex;
    std::mt19937_64 m_engine; // guarded by m_mutex
};

// Writes ISO 8601 in UTC as Python's isoformat() does, without a zero fraction:
// "2026-11-21T08:00:00.123456+00:00".
std::string isoTime(WallTime time);

} // namespace sg
