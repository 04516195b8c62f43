#pragma once

#include "core/base/result.h"

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sg::sandbox::egress {

// A host and a port, checked byte by byte: what was compared is what is resolved and connected to.
struct HostPort {
    std::string host; // lower case letters, digits, "-" and "."; or an address, IPv6 without its brackets
    std::uint16_t port = 0;
    bool isAddress = false; // of digits alone: never resolved

    [[nodiscard]] std::string text() const; // "api.test:443", "[::1]:80"
    friend bool operator==(const HostPort&, const HostPort&) = default;
};

// "host:port", or "host" where a default port is given (not 0). Errc::InvalidArgument: zero bytes, "@", "%",
// spaces, names over 253 bytes, and numbers that are no plain address (0x7f.1, 2852039166, 010.0.0.1).
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

// Not of this machine, its networks or any that has a special meaning: RFC 6890 and the like, IPv4 within
// IPv6 included, where clouds tell machines of themselves, and the addresses of this machine's own
// interfaces.
bool isPublicAddress(const sockaddr* address);
// Where this user's own settings may lead: to this machine, a private network, a range that is kept for tests
// or by providers, but not to where clouds tell machines of themselves, nor to many machines at once.
bool mayBeNamed(const sockaddr* address);
std::string addressText(const sockaddr* address); // "93.184.216.34"

} // namespace sg::sandbox::egress
