#pragma once

#include "core/base/guarded.h"
#include "core/sessions/live/session_audit.h"
#include "core/sessions/live/session_egress.h"

#include <memory>
#include <optional>
#include <stop_token>

namespace sg::sessions {

// A session's way to the network: opened with its sandbox, taken up with it. Any thread.
class SessionNetwork {
public:
    SessionNetwork(const SessionParts& parts, const SessionAudit& audit); // both outlive this

    // What has to be mounted for it, if anything. `found`: of a sandbox that lives already. The one before
    // ends first: its folder bears the same name.
    Result<std::optional<sandbox::Mount>> open(bool found, const std::stop_token& stop = {});
    void take(SessionEgress made);
    void end() { takeProxy().reset(); } // its sandbox has ended
    void leave(); // its sandbox goes on without this process
    // Of the cell that runs from now on.
    void noteOrigin(const artifacts::ArtifactOrigin& origin) { m_now.lock()->origin = origin; }

private:
    struct Now {
        std::unique_ptr<sandbox::egress::EgressProxy> proxy; // null: it has no network
        std::shared_ptr<sandbox::egress::EgressBudget> budget; // of all proxies that it has in its life
        artifacts::ArtifactOrigin origin; // of the cell that runs, or ran last
    };
    // It is ended without the lock: its threads may want that.
    [[nodiscard]] std::unique_ptr<sandbox::egress::EgressProxy> takeProxy()
    {
        return std::move(m_now.lock()->proxy);
    }

    const SessionParts& m_parts;
    const SessionAudit& m_audit;
    Guarded<Now> m_now;
};

} // namespace sg::sessions
