#pragma once

#include "core/base/guarded.h"
#include "core/sessions/live/session_parts.h"

#include <cstdint>

namespace sg::sessions {

// The limits and the lifetime of a session as they are now, and how full its folder is. Any thread.
class SessionLimitsNow {
public:
    explicit SessionLimitsNow(const SessionParts& parts);

    [[nodiscard]] sandbox::Limits now() const { return m_now.lock()->limits; }
    // What can change while it lives: memory, processes and CPUs.
    void set(const sandbox::Limits& limits);
    void ask(const sandbox::Limits& limits)
    {
        m_now.lock()->asked = limits;
    } // a spec asks for them from now on
    void setLifetime(const Lifetime& lifetime) { m_now.lock()->lifetime = lifetime; }
    [[nodiscard]] SessionSpec askedFor(SessionSpec spec) const; // with limits and lifetime as asked for last

    struct Disk {
        std::int64_t used = 0;
        std::int64_t limit = 0;
    };
    [[nodiscard]] Disk disk() const { return m_now.lock()->disk; } // as it was measured last
    void noteDisk(Disk disk);
    // A folder of this machine is to be measured again: now and then, and always while it is filling. On the
    // thread that calls tick().
    [[nodiscard]] bool isDiskDue();

private:
    struct Now {
        sandbox::Limits limits; // that hold
        sandbox::Limits asked;
        Lifetime lifetime;
        Disk disk;
    };
    Guarded<Now> m_now;
    int m_ticks = 0; // belongs to the thread that calls tick()
};

} // namespace sg::sessions
