#include "core/sessions/live/session_limits_now.h"

#include <algorithm>

namespace sg::sessions {

SessionLimitsNow::SessionLimitsNow(const SessionParts& parts)
    : m_now(Now{ parts.limitsNow.value_or(parts.spec.limits), parts.spec.limits, parts.spec.lifetime, {} })
{
}

void SessionLimitsNow::set(const sandbox::Limits& limits)
{
    const auto now = m_now.lock();
    now->limits.memoryBytes = limits.memoryBytes;
    now->limits.pids = limits.pids;
    now->limits.cpus = limits.cpus;
}

SessionSpec SessionLimitsNow::askedFor(SessionSpec spec) const
{
    const auto now = m_now.lock();
    spec.limits = now->asked;
    spec.lifetime = now->lifetime;
    return spec;
}

void SessionLimitsNow::noteDisk(Disk disk)
{
    m_now.lock()->disk = { std::max<std::int64_t>(disk.used, 0), std::max<std::int64_t>(disk.limit, 0) };
}

bool SessionLimitsNow::isDiskDue()
{
    constexpr int kEvery = 10;
    const bool isFilling = disk().used > now().tmpfsBytes / 2;
    return m_ticks++ % kEvery == 0 || isFilling;
}

} // namespace sg::sessions
