#pragma once

#include "core/base/ids.h"
#include "core/sandbox/egress/egress_proxy.h"
#include "core/sandbox/sandbox.h"
#include "core/settings/secret.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace sg::audit {
struct AuditEntry;
}

namespace sg::sessions {

struct SessionSpec;

// One session's way to the network.
struct SessionEgress {
    std::unique_ptr<sandbox::egress::EgressProxy> proxy; // null: it has none
    std::shared_ptr<sandbox::egress::EgressBudget> budget; // of that one and those that follow it
    std::vector<sandbox::egress::EgressHeader> headers; // that it gives, without what finds their secrets
};

struct EgressWish {
    const SessionId& id;
    const SessionSpec& spec;
    // Finds the secrets of headers; empty: none is given.
    const std::function<Result<settings::Secret>(const std::string& name, const std::stop_token& stop)>&
        findSecret;
    std::filesystem::path authorities; // see net::TlsStream
    std::stop_token stop; // of who waits for it
    bool found = false; // its sandbox lives already, left by an earlier process
    std::shared_ptr<sandbox::egress::EgressBudget> budget{}; // of a proxy before it; null: this is the first
};
// Errc::NotFound: the found sandbox has no way that could be taken up, or a secret is not there.
Result<SessionEgress> openEgress(const EgressWish& wish);

// Names of the secrets that it looks up.
Result<std::vector<std::string>> headerSecretNames(const SessionSpec& spec);

// "egress" in the audit log; whose it was is for the caller to add.
audit::AuditEntry egressEntry(const sandbox::egress::EgressDecision& decision);

// What has to be mounted for it.
sandbox::Mount egressMount(const sandbox::egress::EgressProxy& proxy);

} // namespace sg::sessions
