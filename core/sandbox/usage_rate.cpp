#include "core/sandbox/usage_rate.h"

namespace sg::sandbox {

double UsageRate::percent(double cpuSeconds, SteadyTime now)
{
    const double used = cpuSeconds - m_cpuSeconds;
    const double passed = std::chrono::duration<double>(now - m_time).count();
    const bool comparable = m_known && passed > 0 && used >= 0;
    m_known = true;
    m_cpuSeconds = cpuSeconds;
    m_time = now;
    return comparable ? used / passed * 100 : 0;
}

} // namespace sg::sandbox
