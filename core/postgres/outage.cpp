#include "core/postgres/outage.h"

#include "core/base/log.h"

namespace sg::postgres {
namespace {

constexpr std::chrono::seconds kForgotten{ 60 }; // nothing is known of the time since

} // namespace

Outage::Clock::time_point Outage::waitsUntil()
{
    const std::lock_guard lock(m_mutex);
    const auto now = Clock::now();
    const bool isNew = m_end == Clock::time_point() || now - m_noticed > kForgotten;
    m_noticed = now;
    if (!isNew)
        return m_end;
    m_end = now + m_patience;
    logMessage(LogLevel::Warning,
               "the connection to " + m_shown + " is lost; it is tried again for "
                   + std::to_string(std::chrono::ceil<std::chrono::seconds>(m_patience).count()) + " s");
    return m_end;
}

void Outage::ended()
{
    const std::lock_guard lock(m_mutex);
    m_end = {};
}

Error asTold(Error error)
{
    if (error.code == Errc::Unavailable)
        error.code = Errc::Io;
    return error;
}

} // namespace sg::postgres
