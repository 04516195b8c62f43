#include "core/models/base_url.h"

#include <algorithm>
#include <charconv>

namespace sg::models {
namespace {

Error wrong(std::string_view text, const std::string& why)
{
    return { Errc::InvalidArgument,
             "\"" + std::string(text.substr(0, 200)) + "\" is no base URL: " + why
                 + ". It looks like http://127.0.0.1:11434/v1 or https://api.openai.com/v1" };
}

bool isVisible(std::string_view text)
{
    return std::ranges::all_of(text, [](char letter) { return letter > ' ' && letter < '\x7f'; });
}

} // namespace

std::string BaseUrl::place() const
{
    return host + ":" + std::to_string(port);
}

std::string BaseUrl::with(std::string_view below) const
{
    return scheme + "://" + place() + path + std::string(below);
}

bool BaseUrl::isThisMachine() const
{
    return host == "localhost" || host == "[::1]" || host.starts_with("127.");
}

Result<BaseUrl> parseBaseUrl(std::string_view text)
{
    if (!isVisible(text))
        return wrong(text, "it holds blanks or characters that no address has");
    BaseUrl url;
    const std::size_t colon = text.find("://");
    url.scheme = std::string(text.substr(0, colon));
    if (colon == std::string_view::npos || (url.scheme != "http" && url.scheme != "https"))
        return wrong(text, "it begins with neither http:// nor https://");
    if (text.find_first_of("?#") != std::string_view::npos)
        return wrong(text, "a query or fragment cannot stand in it");
    const std::string_view rest = text.substr(colon + 3);
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    std::string_view authority = rest.substr(0, slash);
    if (authority.find('@') != std::string_view::npos)
        return wrong(text, "keys belong into \"key\", not into the address");
    url.path = std::string(rest.substr(slash));
    while (url.path.ends_with('/'))
        url.path.pop_back();
    const std::size_t bracket = authority.find(']');
    const std::size_t mark =
        authority.find(':', bracket == std::string_view::npos ? std::size_t{ 0 } : bracket);
    url.port = url.scheme == "https" ? 443 : 80;
    if (mark != std::string_view::npos) {
        const std::string_view digits = authority.substr(mark + 1);
        const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), url.port);
        if (failed != std::errc() || end != digits.data() + digits.size() || url.port < 1 || url.port > 65535)
            return wrong(text, "its port is none");
        authority = authority.substr(0, mark);
    }
    url.host = std::string(authority);
    std::ranges::transform(url.host, url.host.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    const bool isBracketed = url.host.starts_with('[') && url.host.ends_with(']');
    if (url.host.empty()
        || url.host.find_first_not_of(isBracketed ? "[]0123456789abcdef:."
                                                  : "abcdefghijklmnopqrstuvwxyz0123456789-._")
            != std::string::npos)
        return wrong(text, "it names no host");
    return url;
}

Result<std::string> redirected(const BaseUrl& from, std::string_view location)
{
    if (location.starts_with('/') && !location.starts_with("//"))
        return from.scheme + "://" + from.place() + std::string(location);
    const auto to = parseBaseUrl(location.substr(0, location.find_first_of("?#")));
    if (!to || to->scheme != from.scheme || to->place() != from.place())
        return Error{ Errc::PermissionDenied,
                      "the server sends on to another place (" + std::string(location.substr(0, 200))
                          + "), which is not asked: only " + from.place()
                          + " is. If that is right, make it the node's \"base_url\"" };
    return std::string(location);
}

} // namespace sg::models
