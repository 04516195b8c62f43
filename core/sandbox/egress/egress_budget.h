#pragma once

#include "core/base/clock.h"
#include "core/sandbox/egress/name_lookup.h"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace sg::sandbox::egress {

struct EgressLimits {
    std::int64_t bytes = 4LL << 30; // both ways, of all sandboxes of a session in one program
    int connections = 32; // at once
    int requestsPerMinute = 600;
};

// EgressBudget counts what a session has used of its limits, in all its sandboxes in one program. Any thread.
class EgressBudget {
public:
    explicit EgressBudget(const EgressLimits& limits)
        : m_limits(limits)
        , m_requestsLeft(limits.requestsPerMinute)
    {
    }

    // nullptr: another request may be made now; else the limit that it would break.
    const char* request(SteadyTime now);
    // False: the bytes exceed the limit.
    bool bytes(std::int64_t more) { return m_bytes.fetch_add(more) + more <= m_limits.bytes; }
    [[nodiscard]] const EgressLimits& limits() const { return m_limits; }
    [[nodiscard]] const LookupCount& lookups() const { return m_lookups; }

private:
    const EgressLimits m_limits;
    const LookupCount m_lookups = std::make_shared<std::atomic<int>>(0);
    std::atomic<std::int64_t> m_bytes = 0;
    std::mutex m_mutex;
    // Guarded by m_mutex:
    double m_requestsLeft;
    SteadyTime m_last{};
};

} // namespace sg::sandbox::egress
