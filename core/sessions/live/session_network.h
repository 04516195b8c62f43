#pragma once

#include "core/sessions/live/session_audit.h"
#include "core/sessions/live/session_egress.h"

#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

namespace sg::sessions {

// A session's way to the network: opened with its sandbox, taken up with it. Any thread; nothing is called
// while its lock is held.
class SessionNetwork {
public:
    SessionNetwork(const SessionParts& parts, const SessionAudit& audit); // both outlive this

    // What has to be mounted for it, if anything. `found`: of a sandbox that lives already. The one before
    // ends first: its folder bears the same name.
    Result<std::optional<sandbox::Mount>> open(bool found, const std::stop_token& stop = {});
    void take(SessionEgress made);
    void end(); // its sandbox has ended
    void leave(); // its sandbox goes on without this process
    void noteOrigin(const artifacts::ArtifactOrigin& origin); // of the cell that runs from now on

private:
    [[nodiscard]] std::unique_ptr<sandbox::egress::EgressProxy> takeProxy();
    [[nodiscard]] bool audit(const sandbox::egress::EgressDecision& decision);

    const SessionParts& m_parts;
    const SessionAudit& m_audit;
    std::mutex m_mutex;
    // Guarded by m_mutex:
    std::unique_ptr<sandbox::egress::EgressProxy> m_proxy; // null: it has no network
    std::shared_ptr<sandbox::egress::EgressBudget> m_budget; // of all proxies that it has in its life
    artifacts::ArtifactOrigin m_origin; // of the cell that runs, or ran last
};

} // namespace sg::sessions
