#pragma once

#include "core/base/clock.h"

namespace sg::sandbox {

// Turns CPU seconds so far into percent since the last call: 100 is one core; 0 at first and after a restart.
class UsageRate {
public:
    double percent(double cpuSeconds, SteadyTime now);

private:
    bool m_known = false;
    double m_cpuSeconds = 0;
    SteadyTime m_time;
};

} // namespace sg::sandbox
