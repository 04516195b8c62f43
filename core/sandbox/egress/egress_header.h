#pragma once

#include "core/base/result.h"
#include "core/sandbox/egress/host_rule.h"

#include <functional>
#include <string>
#include <string_view>

namespace sg::sandbox::egress {

// A header that the proxy puts into what code asks one host for, with a secret in it: neither is ever in the
// sandbox. Into plain requests only, for what goes through a tunnel cannot be looked into; the way from here
// to the host is TLS all the same.
struct EgressHeader {
    std::string secret; // its name
    HostPort place; // exactly; no rule of names below one
    bool tls = true; // to the host
    std::string name; // lower case: "authorization"
    std::string pattern; // "Bearer {secret}"
    // What stands for "{secret}", at the moment it is needed; Errc::InvalidArgument where it cannot stand in
    // a header. Empty where none is to be found.
    std::function<Result<std::string>()> find{};

    // Of a plain request for that place: "http://api.test/" means the host's own port 443 where that is by
    // TLS.
    [[nodiscard]] bool isFor(const HostPort& asked) const;
};

// "NAME@HOST", "NAME@HOST:PORT HEADER: TEXT {secret} TEXT", "NAME@http://HOST:PORT …". Without a header it is
// "Authorization: Bearer {secret}", without a port 443; only "http://" goes without TLS, which
// whoever reads settings allows to trusted addresses alone.
// Errc::InvalidArgument.
Result<EgressHeader> parseEgressHeader(std::string_view text);

// Where the text has line breaks, control characters or a zero byte, it would be more than one header.
bool isHeaderText(std::string_view text);

} // namespace sg::sandbox::egress
