#pragma once

#include "core/sessions/host_budget.h"
#include "core/sessions/live/sandbox_session.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sg::sessions {

class WarmPool;

// Gives sessions their places in the host's budget, and ends idle ones to make room for others. Any thread.
// It outlives the places that it gives.
class SessionRoom final : public HostBudget::Host {
public:
    // The sessions that it may end, and who is told of a wait. All of it must outlive the room.
    struct World {
        WarmPool& pool; // gives up what it started ahead first
        std::function<std::vector<std::shared_ptr<SandboxSession>>()> living;
        std::function<bool(const ThreadId&)> isInRun; // as in SessionManagerOptions
        std::function<void(const SessionInfo& waiting, const std::string& why)> waits;
    };
    SessionRoom(const HostBudgetLimits& limits, World world);

    // Waits for a place if there is none. Errors: as HostBudget::enter().
    Result<HostBudget::Place> placeFor(const SessionInfo& waiting, const SessionAsker& asker);
    // Does not wait; Errc::LimitExceeded where there is no room.
    Result<HostBudget::Place> placeNow(const ThreadId& thread, std::int64_t memoryBytes);
    // Another program waits for memory that idle sessions of this one may have: one of them ends.
    void makeRoomForOthers();
    void close() { m_closing.request_stop(); } // nobody waits any more
    [[nodiscard]] std::stop_token closing() const { return m_closing.get_token(); }

    bool makeRoom(const ThreadId& forWhom) override;
    [[nodiscard]] bool isInRun(const ThreadId& thread) const override;

private:
    const World m_world;
    HostBudget m_budget;
    std::stop_source m_closing;
};

} // namespace sg::sessions
