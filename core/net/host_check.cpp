#include "core/net/host_check.h"

#include <algorithm>

namespace sg::net {
namespace {

// Tells whether another site's page embeds the request; a person who follows a link is allowed.
bool isOfAnotherSite(const HttpHead& request)
{
    const std::string* const site = request.find("sec-fetch-site");
    const std::string* const mode = request.find("sec-fetch-mode");
    const bool isNavigation = mode != nullptr && *mode == "navigate";
    return site != nullptr && (*site == "cross-site" || *site == "same-site") && !isNavigation;
}

bool isOwnOrigin(const std::string& origin, std::string_view host)
{
    const std::size_t scheme = origin.find("://");
    return scheme != std::string::npos && std::string_view(origin).substr(scheme + 3) == host;
}

bool isOwnHost(std::string_view host, std::uint16_t port, const std::vector<std::string>& hosts)
{
    const std::string own = ':' + std::to_string(port);
    for (const std::string_view name : { "127.0.0.1", "localhost", "[::1]" })
        if (host.starts_with(name)
            && (host.substr(name.size()) == own || ((port == 80 || port == 443) && host == name)))
            return true;
    return std::ranges::find(hosts, host) != hosts.end();
}

} // namespace

HostVerdict checkHost(const HttpHead& request, std::uint16_t port, const std::vector<std::string>& hosts)
{
    const std::string* const host = request.find("host");
    const std::string* const origin = request.find("origin");
    if (host == nullptr || !isOwnHost(*host, port, hosts))
        return HostVerdict::ForeignHost;
    if (isOfAnotherSite(request) || (origin != nullptr && !isOwnOrigin(*origin, *host)))
        return HostVerdict::ForeignOrigin;
    return HostVerdict::Fine;
}

} // namespace sg::net
