#include "core/models/endpoint_breaker.h"

namespace sg::models {

std::optional<std::chrono::milliseconds> EndpointBreaker::pause(const std::string& place)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_places.find(place);
    if (found == m_places.end() || found->second.failures < kMostFailures)
        return std::nullopt;
    const SteadyTime now = m_clock.steady();
    if (found->second.openUntil > now)
        return std::chrono::duration_cast<std::chrono::milliseconds>(found->second.openUntil - now);
    found->second.openUntil = now + kPause; // one request tries the server, the others wait for what it finds
    return std::nullopt;
}

void EndpointBreaker::note(const std::string& place, bool isFailure)
{
    const std::lock_guard lock(m_mutex);
    if (!isFailure) {
        m_places.erase(place);
        return;
    }
    Place& failing = m_places[place];
    if (++failing.failures >= kMostFailures)
        failing.openUntil = m_clock.steady() + kPause;
}

} // namespace sg::models
