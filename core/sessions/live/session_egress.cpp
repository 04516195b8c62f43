#include "core/sessions/live/session_egress.h"

#include "core/audit/audit_log.h"
#include "core/sessions/session_spec.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace sg::sessions {
namespace {

namespace egress = sandbox::egress;

// Headers whose host no rule allows are left out.
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

// Each header gets its secret, which is read once and stays in this process.
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
    entry.kind = audit::Kind::Egress;
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

} // namespace sg::sessions
