#include "core/sessions/live/session_egress.h"

#include "core/audit/audit_log.h"
#include "core/sessions/live/sandbox_session.h"

#include <algorithm>
#include <memory>
#include <utility>

// A session's way to the network: opened with its sandbox, taken up with it, and the rows that tell of its
// use.
namespace sg::sessions {
namespace {

namespace egress = sandbox::egress;

// Those that a rule lets out at all.
Result<std::vector<egress::EgressHeader>> headersOf(const SessionSpec& spec,
                                                    const egress::EgressPolicy& policy)
{
    std::vector<egress::EgressHeader> headers;
    for (const std::string& text : spec.secretHeaders) {
        auto header = egress::parseEgressHeader(text);
        if (!header)
            return std::move(header.error());
        const bool isAllowed = std::ranges::any_of(
            policy.rules, [&](const egress::EgressRule& rule) { return rule.allows(header->place); });
        if (isAllowed)
            headers.push_back(std::move(*header));
    }
    return headers;
}

// Each with its secret, which is read once and stays in this process.
Result<void> addHeaders(const EgressWish& wish, egress::EgressPolicy& policy, SessionEgress& made)
{
    auto headers = headersOf(wish.spec, policy);
    if (!headers)
        return std::move(headers.error());
    if (!wish.findSecret)
        return {};
    for (egress::EgressHeader& header : *headers) {
        auto secret = wish.findSecret(header.secret, wish.stop);
        if (!secret)
            return std::move(secret.error());
        made.headers.push_back(header);
        const auto kept = std::make_shared<const settings::Secret>(std::move(*secret));
        header.find = [kept]() -> Result<std::string> { return kept->reveal(); };
        policy.headers.push_back(std::move(header));
    }
    return {};
}

const char* wordOf(egress::EgressDecision::Outcome outcome)
{
    using Outcome = egress::EgressDecision::Outcome;
    switch (outcome) {
    case Outcome::Allowed: return "allowed";
    case Outcome::Denied: return "denied";
    case Outcome::Failed: return "failed";
    case Outcome::Checked: return "checked";
    case Outcome::Cut: return "cut";
    }
    return "?";
}

} // namespace

Result<SessionEgress> openEgress(const EgressWish& wish)
{
    SessionEgress made;
    if (wish.spec.egress.empty())
        return made;
    auto policy = egress::egressPolicy(wish.spec.egress, wish.spec.egressTrusts);
    if (!policy)
        return std::move(policy.error());
    policy->authorities = wish.authorities;
    if (auto added = addHeaders(wish, *policy, made); !added)
        return std::move(added.error());
    auto folder = wish.found ? egress::EgressFolder::adopt(wish.id.value, wish.spec.keep)
                             : egress::EgressFolder::create(wish.id.value, wish.spec.keep);
    if (!folder)
        return std::move(folder.error()).during("open a session's way to the network");
    made.budget = wish.budget ? wish.budget : std::make_shared<egress::EgressBudget>(policy->limits);
    auto proxy = egress::EgressProxy::start(std::move(*policy), std::move(*folder), {}, made.budget);
    if (!proxy)
        return std::move(proxy.error());
    made.proxy = std::move(*proxy);
    return made;
}

Result<std::vector<std::string>> headerSecretNames(const SessionSpec& spec)
{
    std::vector<std::string> names;
    if (spec.egress.empty())
        return names;
    const auto policy = egress::egressPolicy(spec.egress, spec.egressTrusts);
    if (!policy)
        return policy.error();
    const auto headers = headersOf(spec, *policy);
    if (!headers)
        return headers.error();
    for (const egress::EgressHeader& header : *headers)
        names.push_back(header.secret);
    return names;
}

audit::AuditEntry egressEntry(const egress::EgressDecision& decision)
{
    audit::AuditEntry entry;
    entry.kind = "egress";
    entry.subject = decision.place;
    entry.outcome = wordOf(decision.outcome);
    entry.details = Value::map({ { "method", decision.method } });
    if (!decision.address.empty())
        entry.details.editMap().set("address", decision.address);
    if (!decision.reason.empty())
        entry.details.editMap().set("reason", decision.reason);
    if (!decision.secrets.empty()) {
        ValueList names;
        for (const std::string& name : decision.secrets)
            names.emplace_back(name);
        entry.details.editMap().set("secrets", std::move(names));
    }
    if (decision.times > 1)
        entry.details.editMap().set("times", static_cast<std::int64_t>(decision.times));
    if (decision.outcome == egress::EgressDecision::Outcome::Cut) {
        entry.details.editMap().set("bytes_out", decision.bytesOut);
        entry.details.editMap().set("bytes_in", decision.bytesIn);
    }
    return entry;
}

sandbox::Mount egressMount(const egress::EgressProxy& proxy)
{
    sandbox::Mount mount{ proxy.folder(), egress::kMountPoint, true };
    mount.givenToUser = true;
    return mount;
}

// The one before ends first: its folder bears the same name.
Result<std::optional<sandbox::Mount>> SandboxSession::openNetwork(bool found, const std::stop_token& stop)
{
    takeEgress().reset();
    auto budget = [&] {
        const std::lock_guard lock(m_mutex);
        return m_egressBudget;
    }();
    auto made = openEgress({ m_parts.id, m_parts.spec, m_parts.findHeaderSecret, m_parts.authorities, stop,
                             found, std::move(budget) });
    if (!made)
        return std::move(made.error());
    std::optional<sandbox::Mount> mount;
    if (made->proxy)
        mount = egressMount(*made->proxy);
    takeNetwork(std::move(*made));
    return mount;
}

void SandboxSession::takeNetwork(SessionEgress made)
{
    if (!made.proxy)
        return;
    for (const egress::EgressHeader& header : made.headers) {
        audit::AuditEntry entry = auditEntry("secret", {});
        entry.subject = header.secret;
        entry.outcome = "given";
        entry.details = Value::map({ { "as", "header " + header.name }, { "to", header.place.text() } });
        audit(std::move(entry));
    }
    made.proxy->tell([this](const egress::EgressDecision& decision) { return auditEgress(decision); });
    const std::lock_guard lock(m_mutex);
    m_egress = std::move(made.proxy);
    m_egressBudget = std::move(made.budget);
}

// It is ended without the mutex: its threads may want that.
std::unique_ptr<egress::EgressProxy> SandboxSession::takeEgress()
{
    const std::lock_guard lock(m_mutex);
    return std::move(m_egress);
}

// False: nobody could tell later that it happened.
bool SandboxSession::auditEgress(const egress::EgressDecision& decision)
{
    if (!m_parts.audit)
        return true;
    const artifacts::ArtifactOrigin origin = [&] {
        const std::lock_guard lock(m_mutex);
        return m_origin;
    }();
    audit::AuditEntry told = egressEntry(decision);
    audit::AuditEntry entry = auditEntry("egress", origin);
    entry.subject = std::move(told.subject);
    entry.outcome = std::move(told.outcome);
    entry.details = std::move(told.details);
    return static_cast<bool>(m_parts.audit(std::move(entry), AuditWhen::Now));
}

} // namespace sg::sessions
