#pragma once

#include "core/base/child_process.h"
#include "core/base/clock.h"
#include "core/sandbox/egress/host_rule.h"
#include "core/sandbox/egress/name_lookup.h"

#include <string>
#include <string_view>
#include <vector>

namespace sg::sandbox::egress {

// The proxy by which this user's own programs reach the network; allowed requests go through it.
struct UpstreamProxy {
    HostPort place; // may be in a private network: this user chose it
    std::string authorization; // of the Proxy-Authorization header; empty: none
    // Places reached without it: "*" (all), hosts and all below them, addresses, each with or without a port,
    // and networks ("10.0.0.0/8", for literal addresses only).
    std::vector<std::string> without;

    [[nodiscard]] bool isFor(const HostPort& wanted) const;
};

// `url`: "http://user:word@proxy.test:3128" or "proxy.test:3128"; `without` has the form of NO_PROXY.
// Errc::InvalidArgument: proxies with TLS or SOCKS are not supported.
Result<UpstreamProxy> parseUpstreamProxy(std::string_view url, std::string_view without);

// Connects to `wanted` through the proxy (CONNECT). Errors hold its answer.
Result<Fd> connectThrough(const UpstreamProxy& proxy, const HostPort& wanted, int stop, SteadyTime end,
                          const LookupCount& underWay);

} // namespace sg::sandbox::egress
