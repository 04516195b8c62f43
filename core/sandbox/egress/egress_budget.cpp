#include "core/sandbox/egress/egress_budget.h"

#include <algorithm>

namespace sg::sandbox::egress {

const char* EgressBudget::request(SteadyTime now)
{
    if (m_bytes >= m_limits.bytes)
        return "the session has used all the bytes that it may";
    const std::lock_guard lock(m_mutex);
    const double most = m_limits.requestsPerMinute;
    if (m_last != SteadyTime())
        m_requestsLeft =
            std::min(most, m_requestsLeft + std::chrono::duration<double>(now - m_last).count() * most / 60);
    m_last = now;
    if (m_requestsLeft < 1)
        return "the session makes more requests a minute than it may";
    m_requestsLeft -= 1;
    return nullptr;
}

} // namespace sg::sandbox::egress
