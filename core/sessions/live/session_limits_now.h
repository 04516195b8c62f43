#pragma once

#include "core/sessions/live/session_parts.h"

#include <cstdint>
#include <mutex>

namespace sg::sessions {

// The limits and the lifetime of a session as they are now, and how full its folder is. Any thread; nothing
// is called while its lock is held.
class SessionLimitsNow {
public:
    explicit SessionLimitsNow(const SessionParts& parts);

    [[nodiscard]] sandbox::Limits now() const;
    // What can change while it lives: memory, processes and CPUs.
    void set(const sandbox::Limits& limits);
    void ask(const sandbox::Limits& limits); // a spec asks for them from now on
    void setLifetime(const Lifetime& lifetime);
    [[nodiscard]] SessionSpec askedFor(SessionSpec spec) const; // with limits and lifetime as asked for last

    struct Disk {
        std::int64_t used = 0;
        std::int64_t limit = 0;
    };
    [[nodiscard]] Disk disk() const; // as it was measured last
    void noteDisk(Disk disk);
    // A folder of this machine is to be measured again: now and then, and always while it is filling. On the
    // thread that calls tick().
    [[nodiscard]] bool isDiskDue();

private:
    int m_ticks = 0; // belongs to the thread that calls tick()
    mutable std::mutex m_mutex;
    // Guarded by m_mutex:
    sandbox::Limits m_limits; // that hold
    sandbox::Limits m_asked;
    Lifetime m_lifetime;
    Disk m_disk;
};

} // namespace sg::sessions
