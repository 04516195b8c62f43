#pragma once

#include "core/base/child_process.h"
#include "core/base/clock.h"
#include "core/sandbox/egress/host_rule.h"
#include "core/sandbox/egress/name_lookup.h"

#include <string>
#include <string_view>
#include <vector>

namespace sg::sandbox::egress {

// The proxy by which this user's own programs reach the network: what is let out goes through it.
struct UpstreamProxy {
    HostPort place; // may be of a private network: this user chose it
    std::string authorization; // of the header's value; empty: it asks for none
    // Reached without it: "*" (all), hosts and all below them, addresses, each with a port or without,
    // networks
    // ("10.0.0.0/8": of addresses alone, names are not looked up for it).
    std::vector<std::string> without;

    [[nodiscard]] bool isFor(const HostPort& wanted) const;
};

// "http://user:word@proxy.test:3128", "proxy.test:3128"; `without` as NO_PROXY has it.
// Errc::InvalidArgument: proxies that are spoken to by TLS or as SOCKS are not supported.
Result<UpstreamProxy> parseUpstreamProxy(std::string_view url, std::string_view without);

// A connection to `wanted` that it has opened (CONNECT). Errors tell what it answered.
Result<Fd> connectThrough(const UpstreamProxy& proxy, const HostPort& wanted, int stop, SteadyTime end,
                          const LookupCount& underWay);

} // namespace sg::sandbox::egress
