#pragma once

#include "core/base/guarded.h"
#include "core/sessions/live/session_audit.h"
#include "core/sessions/live/session_egress.h"

#include <memory>
#include <optional>
#include <stop_token>

namespace sg::sessions {

// SessionNetwork owns a session's proxy: it opens it with a sandbox, or takes up the one of a sandbox that
// was found. Any thread.
class SessionNetwork {
public:
    SessionNetwork(const SessionParts& parts, const SessionAudit& audit); // both outlive this

    // Returns the mount that the sandbox needs, if any. `found`: the sandbox lives already. The earlier proxy
    // is ended first, as its folder has the same name.
    Result<std::optional<sandbox::Mount>> open(bool found, const std::stop_token& stop = {});
    void take(SessionEgress made);
    void end() { takeProxy().reset(); } // its sandbox has ended
    void leave(); // its sandbox goes on without this process
    // Requests from now on are attributed to this cell.
    void noteOrigin(const artifacts::ArtifactOrigin& origin) { m_now.lock()->origin = origin; }

private:
    struct Now {
        std::unique_ptr<sandbox::egress::EgressProxy> proxy; // null: it has no network
        std::shared_ptr<sandbox::egress::EgressBudget> budget; // shared by all proxies of the session
        artifacts::ArtifactOrigin origin; // of the cell that runs, or ran last
    };
    // The caller ends it without the lock, as its threads may wait for that.
    [[nodiscard]] std::unique_ptr<sandbox::egress::EgressProxy> takeProxy()
    {
        return std::move(m_now.lock()->proxy);
    }

    const SessionParts& m_parts;
    const SessionAudit& m_audit;
    Guarded<Now> m_now;
};

} // namespace sg::sessions
