#pragma once

#include "core/base/clock.h"

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace sg::models {

// Keeps requests from a server that has failed several times in a row: for a while none is sent, then one to
// try it. Any thread.
class EndpointBreaker {
public:
    static constexpr int kMostFailures = 6; // in a row; one call tries three times
    static constexpr std::chrono::milliseconds kPause{ 15'000 };

    explicit EndpointBreaker(const Clock& clock)
        : m_clock(clock)
    {
    }

    // Returns how long nothing may be sent to the place; nothing: now it may.
    std::optional<std::chrono::milliseconds> pause(const std::string& place);
    void note(const std::string& place, bool isFailure);

private:
    struct Place {
        int failures = 0; // in a row
        SteadyTime openUntil{};
    };
    const Clock& m_clock;
    std::mutex m_mutex;
    std::map<std::string, Place> m_places; // guarded by m_mutex
};

} // namespace sg::models
