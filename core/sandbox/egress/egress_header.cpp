#include "core/sandbox/egress/egress_header.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace sg::sandbox::egress {
namespace {

constexpr std::string_view kSecret = "{secret}";
constexpr std::string_view kUsual = "Authorization: Bearer {secret}";
constexpr std::string_view kTls = "https://";
constexpr std::string_view kPlainLetters = "http://";
constexpr std::size_t kLongest = 1024;

Error wrong(std::string_view text, const std::string& why)
{
    std::string shown;
    for (const char each : text.substr(0, 80))
        shown += each >= 0x20 && each < 0x7f ? each : '?';
    return { Errc::InvalidArgument,
             "\"" + shown + "\" names no header with a secret: " + why
                 + R"(. It is written NAME@HOST, or NAME@HOST:PORT Header: text {secret})" };
}

bool isHeaderName(std::string_view name)
{
    return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char each) {
        const auto byte = static_cast<unsigned char>(each);
        return byte < 128 && (std::isalnum(byte) != 0 || each == '-' || each == '_');
    });
}

// The proxy itself sets headers that frame a request or change its destination.
bool isOurs(std::string_view name)
{
    constexpr std::array<std::string_view, 9> kOurs{ "host",    "connection", "content-length",
                                                     "te",      "upgrade",    "transfer-encoding",
                                                     "trailer", "expect",     "keep-alive" };
    return std::ranges::find(kOurs, name) != kOurs.end() || name.starts_with("proxy-");
}

std::string_view trimmed(std::string_view text)
{
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

} // namespace

bool isHeaderText(std::string_view text)
{
    return std::ranges::none_of(text, [](char each) {
        const auto byte = static_cast<unsigned char>(each);
        return byte < 0x20 || byte == 0x7f;
    });
}

bool EgressHeader::isFor(const HostPort& asked) const
{
    return asked.host == place.host
        && (asked.port == place.port || (tls && asked.port == 80 && place.port == 443));
}

std::string_view secretOfHeader(std::string_view text)
{
    return trimmed(text).substr(0, trimmed(text).find('@'));
}

Result<EgressHeader> parseEgressHeader(std::string_view text)
{
    text = trimmed(text);
    if (text.size() > kLongest || !isHeaderText(text))
        return wrong(text, "it is too long, or has characters that no header may have");
    EgressHeader header;
    const std::size_t at = text.find('@');
    if (at == std::string_view::npos || at == 0)
        return wrong(text, "the secret's name and \"@\" are missing");
    header.secret = text.substr(0, at);
    const std::size_t end = std::min(text.find(' ', at), text.size());
    std::string_view place = text.substr(at + 1, end - at - 1);
    header.tls = !place.starts_with(kPlainLetters);
    if (place.starts_with(kTls) || !header.tls)
        place.remove_prefix(header.tls ? kTls.size() : kPlainLetters.size());
    auto host = parseHostPort(place, header.tls ? 443 : 80);
    if (!host)
        return wrong(text, host.error().message);
    header.place = std::move(*host);
    const std::string_view written = trimmed(text.substr(end));
    const std::string_view line = written.empty() ? kUsual : written;
    const std::size_t colon = line.find(':');
    header.name = trimmed(line.substr(0, std::min(colon, line.size())));
    std::ranges::transform(header.name, header.name.begin(),
                           [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
    if (colon == std::string_view::npos || !isHeaderName(header.name) || isOurs(header.name))
        return wrong(text, "\"" + header.name + "\" is no header that can be given");
    header.pattern = trimmed(line.substr(colon + 1));
    const std::size_t first = header.pattern.find(kSecret);
    if (first == std::string::npos || header.pattern.find(kSecret, first + 1) != std::string::npos)
        return wrong(text, "\"{secret}\" must stand in it once");
    return header;
}

} // namespace sg::sandbox::egress
