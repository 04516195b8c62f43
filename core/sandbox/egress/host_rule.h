#pragma once

#include "core/base/result.h"

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sg::sandbox::egress {

// A host and a port, checked byte by byte: the text that is compared is the one that is resolved.
struct HostPort {
    std::string host; // lower case letters, digits, "-" and "."; or an address, IPv6 without its brackets
    std::uint16_t port = 0;
    bool isAddress = false; // literal, never resolved

    [[nodiscard]] std::string text() const; // "api.test:443", "[::1]:80"
    friend bool operator==(const HostPort&, const HostPort&) = default;
};

// Accepts "host:port", or "host" where a default port is given (not 0). Errc::InvalidArgument: zero bytes,
// "@", "%", spaces, names over 253 bytes, and numbers other than plain addresses (0x7f.1, 2852039166,
// 010.0.0.1).
Result<HostPort> parseHostPort(std::string_view text, std::uint16_t defaultPort);

// One line of an allowlist: "api.test" (port 443), "api.test:80", "*.example.com" (every name below it, not
// itself).
struct EgressRule {
    HostPort place; // without the "*."
    bool isBelow = false;

    [[nodiscard]] bool allows(const HostPort& wanted) const;
    [[nodiscard]] std::string text() const;
};
Result<EgressRule> parseEgressRule(std::string_view text);

// False for this machine, its networks and ranges of special meaning: those of RFC 6890 and the like, also as
// IPv4 within IPv6, addresses where clouds offer machines' secrets, and those of this machine's own
// interfaces.
bool isPublicAddress(const sockaddr* address);
// Addresses that this user's own settings may name: also this machine, private networks, and ranges for tests
// or providers, but not where clouds offer machines' secrets, nor groups of machines.
bool mayBeNamed(const sockaddr* address);
std::string addressText(const sockaddr* address); // "93.184.216.34"

} // namespace sg::sandbox::egress
