#pragma once

#include "core/base/guarded.h"
#include "core/sessions/host_budget.h"
#include "core/sessions/session.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

namespace sg::sessions {

// SessionAsker is who waits for a session, and hears why it takes its time.
struct SessionAsker {
    bool isRun = false;
    std::stop_token stop;
    std::function<void(const std::string& line)> say;
    bool takesOnlyRoom = false; // takes only a place that is free now: no wait, nobody makes room
};
// Gets a place for a session that had released its own.
using PlaceSource = std::function<Result<HostBudget::Place>(const SessionInfo& waiting, const SessionAsker&)>;

// SessionPlace is a session's place in the host's budget: held while it has a sandbox, given up for another
// session, and taken again. Any thread.
class SessionPlace {
public:
    void hold(HostBudget::Place place, PlaceSource again); // `again` empty: it needs none
    [[nodiscard]] bool isHeld() const { return static_cast<bool>(m_held.lock()->place); }
    // The caller releases it once the sandbox has ended.
    [[nodiscard]] HostBudget::Place give() { return std::move(m_held.lock()->place); }
    // Waits for a place where the session needs one and has none.
    Result<void> take(SessionInfo waiting, const SessionAsker& asker);
    void end() { m_over.request_stop(); } // the session has ended: what waits for a place waits in vain

    // Setting the session aside has failed: it is not tried again for a while.
    void stay();
    [[nodiscard]] bool stays() const;

    // True where its sandbox was ended for another session's.
    [[nodiscard]] bool hasMadeRoom() const { return m_madeRoom; }
    bool setMadeRoom(bool hasMade) { return m_madeRoom.exchange(hasMade); } // returns what it was before

private:
    std::stop_source m_over;
    std::atomic<bool> m_madeRoom = false;
    struct Held {
        HostBudget::Place place;
        PlaceSource again;
        std::chrono::steady_clock::time_point staysUntil{};
    };
    Guarded<Held> m_held;
};

} // namespace sg::sessions
