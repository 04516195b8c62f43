#pragma once

#include "core/base/guarded.h"
#include "core/sessions/live/session_parts.h"

#include <cstdint>

namespace sg::sessions {

// SessionLimitsNow holds the current limits and lifetime of a session, and how full its folder is. Any
// thread.
class SessionLimitsNow {
public:
    explicit SessionLimitsNow(const SessionParts& parts);

    [[nodiscard]] sandbox::Limits now() const { return m_now.lock()->limits; }
    // Changes the limits that can change in a running sandbox: memory, processes and CPUs.
    void set(const sandbox::Limits& limits);
    void ask(const sandbox::Limits& limits)
    {
        m_now.lock()->asked = limits;
    } // a spec asks for them from now on
    void setLifetime(const Lifetime& lifetime) { m_now.lock()->lifetime = lifetime; }
    [[nodiscard]] SessionSpec askedFor(SessionSpec spec) const; // with limits and lifetime as last asked for

    struct Disk {
        std::int64_t used = 0;
        std::int64_t limit = 0;
    };
    [[nodiscard]] Disk disk() const { return m_now.lock()->disk; } // as it was measured last
    void noteDisk(Disk disk);
    // True where a folder on this machine is to be measured again: every tenth tick, and at each one while it
    // is more than half full. Called by the thread that calls tick().
    [[nodiscard]] bool isDiskDue();

private:
    struct Now {
        sandbox::Limits limits; // in force
        sandbox::Limits asked;
        Lifetime lifetime;
        Disk disk;
    };
    Guarded<Now> m_now;
    int m_ticks = 0; // belongs to the thread that calls tick()
};

} // namespace sg::sessions
