#pragma once

#include "core/base/clock.h"

#include <mutex>

namespace sg::test {

// A clock that stands at 2026-11-21T08:00:00Z until it is advanced; sleep() advances it and returns at once.
// Any thread.
class FakeClock final : public Clock {
public:
    [[nodiscard]] WallTime now() const override
    {
        const std::lock_guard lock(m_mutex);
        return WallTime(std::chrono::seconds(1'795'248'000)) + m_passed;
    }
    [[nodiscard]] SteadyTime steady() const override
    {
        const std::lock_guard lock(m_mutex);
        return SteadyTime() + m_passed;
    }
    void sleep(Millis duration) const override { advance(duration); }

    void advance(std::chrono::nanoseconds duration) const
    {
        const std::lock_guard lock(m_mutex);
        m_passed += duration;
    }

private:
    mutable std::mutex m_mutex;
    mutable std::chrono::nanoseconds m_passed{ 0 }; // guarded by m_mutex
};

} // namespace sg::test
