#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace sg::models {

// The address of a model: http or https, one host, and a path below which the wire's own paths stand.
struct BaseUrl {
    std::string scheme;
    std::string host; // lower case; IPv6 in brackets
    int port = 0;
    std::string path; // without a slash at its end

    [[nodiscard]] std::string place() const; // "api.test:443"
    [[nodiscard]] std::string with(std::string_view below) const;
    [[nodiscard]] bool isThisMachine() const;
};

// Errc::InvalidArgument: no http or https address, or one with a user, a query or a fragment.
Result<BaseUrl> parseBaseUrl(std::string_view text);
// Returns the address that a redirect leads to; Errc::PermissionDenied if that is another scheme, host or
// port.
Result<std::string> redirected(const BaseUrl& from, std::string_view location);

} // namespace sg::models
