#pragma once

#include "core/base/result.h"
#include "core/sandbox/egress/host_rule.h"

#include <functional>
#include <string>
#include <string_view>

namespace sg::sandbox::egress {

// A header with a secret that the proxy inserts into requests to one host; the sandbox sees neither. Only
// plain requests get it, as a tunnel cannot be looked into; the proxy itself speaks TLS to the host all the
// same.
struct EgressHeader {
    std::string secret; // name of the secret
    HostPort place; // exactly this one, no subdomains
    bool tls = true; // to the host
    std::string name; // lower case: "authorization"
    std::string pattern; // "Bearer {secret}"
    // Returns the value for "{secret}" at the moment it is needed; Errc::InvalidArgument where it cannot be
    // in a header. May be empty.
    std::function<Result<std::string>()> find{};

    // True for a plain request to that place: "http://api.test/" means port 443 where the header uses TLS.
    [[nodiscard]] bool isFor(const HostPort& asked) const;
};

// Accepts "NAME@HOST", "NAME@HOST:PORT HEADER: TEXT {secret} TEXT", "NAME@http://HOST:PORT …". The default
// header is "Authorization: Bearer {secret}", the default port 443. Only "http://" is without TLS; readers of
// settings allow it for trusted addresses alone. Errc::InvalidArgument.
Result<EgressHeader> parseEgressHeader(std::string_view text);

// Returns the name of the secret in such a text, whether or not the rest of it is right.
std::string_view secretOfHeader(std::string_view text);

// False for line breaks, control characters and zero bytes, which could start another header.
bool isHeaderText(std::string_view text);

} // namespace sg::sandbox::egress
