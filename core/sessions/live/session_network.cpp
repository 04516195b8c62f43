#include "core/sessions/live/session_network.h"

#include <utility>

namespace sg::sessions {

SessionNetwork::SessionNetwork(const SessionParts& parts, const SessionAudit& audit)
    : m_parts(parts)
    , m_audit(audit)
{
}

Result<std::optional<sandbox::Mount>> SessionNetwork::open(bool found, const std::stop_token& stop)
{
    end();
    auto budget = m_now.lock()->budget;
    auto made = openEgress({ m_parts.id, m_parts.spec, m_parts.findHeaderSecret, m_parts.authorities, stop,
                             found, std::move(budget) });
    if (!made)
        return std::move(made.error());
    std::optional<sandbox::Mount> mount;
    if (made->proxy)
        mount = egressMount(*made->proxy);
    take(std::move(*made));
    return mount;
}

void SessionNetwork::take(SessionEgress made)
{
    if (!made.proxy)
        return;
    for (const sandbox::egress::EgressHeader& header : made.headers)
        m_audit.secret(header.secret, audit::Outcome::Given,
                       Value::map({ { "as", "header " + header.name }, { "to", header.place.text() } }));
    made.proxy->tell([this](const sandbox::egress::EgressDecision& decision) {
        const artifacts::ArtifactOrigin origin = m_now.lock()->origin;
        return m_audit.egress(decision, origin);
    });
    const auto now = m_now.lock();
    now->proxy = std::move(made.proxy);
    now->budget = std::move(made.budget);
}

void SessionNetwork::leave()
{
    if (const auto proxy = takeProxy())
        proxy->leave();
}

} // namespace sg::sessions
