#include "core/sessions/live/session_limits_now.h"

#include <algorithm>

namespace sg::sessions {

SessionLimitsNow::SessionLimitsNow(const SessionParts& parts)
    : m_limits(parts.limitsNow.value_or(parts.spec.limits))
    , m_asked(parts.spec.limits)
    , m_lifetime(parts.spec.lifetime)
{
}

sandbox::Limits SessionLimitsNow::now() const
{
    const std::lock_guard lock(m_mutex);
    return m_limits;
}

void SessionLimitsNow::set(const sandbox::Limits& limits)
{
    const std::lock_guard lock(m_mutex);
    m_limits.memoryBytes = limits.memoryBytes;
    m_limits.pids = limits.pids;
    m_limits.cpus = limits.cpus;
}

void SessionLimitsNow::ask(const sandbox::Limits& limits)
{
    const std::lock_guard lock(m_mutex);
    m_asked = limits;
}

void SessionLimitsNow::setLifetime(const Lifetime& lifetime)
{
    const std::lock_guard lock(m_mutex);
    m_lifetime = lifetime;
}

SessionSpec SessionLimitsNow::askedFor(SessionSpec spec) const
{
    const std::lock_guard lock(m_mutex);
    spec.limits = m_asked;
    spec.lifetime = m_lifetime;
    return spec;
}

SessionLimitsNow::Disk SessionLimitsNow::disk() const
{
    const std::lock_guard lock(m_mutex);
    return m_disk;
}

void SessionLimitsNow::noteDisk(Disk disk)
{
    const std::lock_guard lock(m_mutex);
    m_disk = { std::max<std::int64_t>(disk.used, 0), std::max<std::int64_t>(disk.limit, 0) };
}

bool SessionLimitsNow::isDiskDue()
{
    constexpr int kEvery = 10;
    const bool isFilling = disk().used > now().tmpfsBytes / 2;
    return m_ticks++ % kEvery == 0 || isFilling;
}

} // namespace sg::sessions
