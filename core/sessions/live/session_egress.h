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
    std::unique_ptr<sandbox::egress::EgressProxy> proxy; // shared with the proxies that follow
    std::shared_ptr<sandbox::egress::EgressBudget> budget; // of that one and those that follow it
    std::vector<sandbox::egress::EgressHeader> headers; // of this proxy, without their secrets
};

struct EgressWish {
    const SessionId& id;
    const SessionSpec& spec;
    // Finds the secrets of headers; empty: no header is set.
    const std::function<Result<settings::Secret>(const std::string& name, const std::stop_token& stop)>&
        findSecret;
    std::filesystem::path authorities; // see net::TlsStream
    std::stop_token stop; // the caller's
    bool found = false; // its sandbox lives already, left by an earlier process
    std::shared_ptr<sandbox::egress::EgressBudget> budget{}; // of an earlier proxy; null: this is the first
};
// Errc::NotFound: the found sandbox has no proxy that could be taken up, or a secret is missing.
Result<SessionEgress> openEgress(const EgressWish& wish);

// Names of the secrets that its headers need.
Result<std::vector<std::string>> headerSecretNames(const SessionSpec& spec);

// The audit log's "egress" row; the caller adds whose it was.
audit::AuditEntry egressEntry(const sandbox::egress::EgressDecision& decision);

// The folder that a sandbox mounts to reach the proxy.
sandbox::Mount egressMount(const sandbox::egress::EgressProxy& proxy);

} // namespace sg::sessions
