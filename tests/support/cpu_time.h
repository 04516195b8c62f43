#pragma once

#include <ctime>

namespace sg::test {

// Measures how long the processor has worked for this thread, for claims about the cost of something: while
// other tests run, the time on the wall tells of those, too.
class CpuTime {
public:
    [[nodiscard]] double ms() const { return now() - m_begin; }

private:
    static double now()
    {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return 1e3 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e6;
    }
    const double m_begin = now();
};

} // namespace sg::test
