#include "core/sandbox/egress/host_rule.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <span>

namespace sg::sandbox::egress {
namespace {

constexpr std::size_t kLongestName = 253;
constexpr std::size_t kLongestLabel = 63;

bool isDigit(char each)
{
    return each >= '0' && each <= '9';
}

bool isNameLetter(char each)
{
    return (each >= 'a' && each <= 'z') || isDigit(each) || each == '-';
}

bool isName(std::string_view text)
{
    if (text.empty() || text.size() > kLongestName)
        return false;
    std::string_view last;
    while (true) {
        const std::size_t end = std::min(text.find('.'), text.size());
        const std::string_view label = text.substr(0, end);
        if (label.empty() || label.size() > kLongestLabel || label.front() == '-' || label.back() == '-'
            || !std::ranges::all_of(label, isNameLetter))
            return false;
        last = label;
        if (end == text.size())
            break;
        text.remove_prefix(end + 1);
    }
    // Other forms of numbers are addresses to some programs and names to others.
    const bool isHex = last.starts_with("0x");
    return !isHex && !std::ranges::all_of(last, isDigit);
}

bool isPlainIpv4(std::string_view text)
{
    in_addr address{};
    std::array<char, INET_ADDRSTRLEN> written{};
    const std::string copy(text);
    return ::inet_pton(AF_INET, copy.c_str(), &address) == 1
        && ::inet_ntop(AF_INET, &address, written.data(), written.size()) != nullptr
        && copy == written.data();
}

Error wrong(std::string_view text, const char* why)
{
    std::string shown;
    for (const char each : text.substr(0, 80))
        shown += each > 0x20 && each < 0x7f ? each : '?';
    return { Errc::InvalidArgument, "\"" + shown + "\" is no host of the network: " + why };
}

struct Range4 {
    std::uint32_t first;
    unsigned bits;
};
// Most clouds offer a machine's secrets at addresses in these ranges (169.254.169.254, 100.100.100.200,
// 192.0.0.192); only Azure's wire server has a public address, 168.63.129.16.
constexpr std::array kSpecial4{
    Range4{ 0x00000000, 8 },  Range4{ 0x0A000000, 8 },  Range4{ 0x64400000, 10 }, Range4{ 0x7F000000, 8 },
    Range4{ 0xA9FE0000, 16 }, Range4{ 0xAC100000, 12 }, Range4{ 0xC0000000, 24 }, Range4{ 0xC0000200, 24 },
    Range4{ 0xC0586300, 24 }, Range4{ 0xC0A80000, 16 }, Range4{ 0xC6120000, 15 }, Range4{ 0xC6336400, 24 },
    Range4{ 0xCB007100, 24 }, Range4{ 0xE0000000, 4 },  Range4{ 0xF0000000, 4 },  Range4{ 0xA83F8110, 32 },
};

// The part of these where clouds offer machines' secrets, and ranges that are no single machine.
constexpr std::array kNobodys4{
    Range4{ 0xA9FE0000, 16 }, Range4{ 0x646464C8, 32 }, Range4{ 0xC00000C0, 32 }, Range4{ 0xA83F8110, 32 },
    Range4{ 0x00000000, 8 },  Range4{ 0xE0000000, 4 },  Range4{ 0xF0000000, 4 },
};

bool isAmong(std::uint32_t address, std::span<const Range4> ranges)
{
    return std::ranges::any_of(
        ranges, [&](const Range4& range) { return (address ^ range.first) >> (32U - range.bits) == 0; });
}

struct Range6 {
    std::array<std::uint8_t, 4> first;
    unsigned bits; // at most 32
};
// Only 2000::/3 is assigned at all, except for these ranges. Addresses that embed an IPv4 address may lead
// there.
constexpr std::array kSpecial6{
    Range6{ { 0x20, 0x01, 0x00, 0x00 }, 23 },
    Range6{ { 0x20, 0x01, 0x0d, 0xb8 }, 32 },
    Range6{ { 0x20, 0x02, 0x00, 0x00 }, 16 },
    Range6{ { 0x3f, 0xff, 0x00, 0x00 }, 20 },
};
// The part of these that is reserved for documents and tests: no IPv4 address is embedded.
constexpr std::array kExamples6{
    Range6{ { 0x20, 0x01, 0x0d, 0xb8 }, 32 },
    Range6{ { 0x3f, 0xff, 0x00, 0x00 }, 20 },
};
// The part of fc00::/7 (private networks) where AWS, Google, Linode and Scaleway offer machines' secrets.
constexpr std::array kClouds6{
    Range6{ { 0xfd, 0x00, 0x0e, 0xc2 }, 32 },
    Range6{ { 0xfd, 0x20, 0x00, 0xce }, 32 },
    Range6{ { 0xfd, 0x00, 0xa9, 0xfe }, 32 },
    Range6{ { 0xfd, 0x00, 0x00, 0x42 }, 32 },
};

bool isAmong(const in6_addr& address, std::span<const Range6> ranges)
{
    const auto leading = [](const std::uint8_t* bytes) {
        return std::uint32_t{ bytes[0] } << 24U | std::uint32_t{ bytes[1] } << 16U
            | std::uint32_t{ bytes[2] } << 8U | bytes[3];
    };
    return std::ranges::any_of(ranges, [&](const Range6& range) {
        return (leading(address.s6_addr) ^ leading(range.first.data())) >> (32U - range.bits) == 0;
    });
}

std::uint32_t number4(const sockaddr* address)
{
    return ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr);
}

const in6_addr& bytes6(const sockaddr* address)
{
    return reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
}

bool isSameAddress(const sockaddr* a, const sockaddr* b)
{
    if (a->sa_family != b->sa_family)
        return false;
    if (a->sa_family == AF_INET)
        return reinterpret_cast<const sockaddr_in*>(a)->sin_addr.s_addr
            == reinterpret_cast<const sockaddr_in*>(b)->sin_addr.s_addr;
    return std::memcmp(&reinterpret_cast<const sockaddr_in6*>(a)->sin6_addr,
                       &reinterpret_cast<const sockaddr_in6*>(b)->sin6_addr, sizeof(in6_addr))
        == 0;
}

// True where it cannot be determined.
bool isOwnAddress(const sockaddr* address)
{
    ifaddrs* all = nullptr;
    if (::getifaddrs(&all) != 0)
        return true;
    bool isOwn = false;
    for (const ifaddrs* each = all; each != nullptr && !isOwn; each = each->ifa_next)
        isOwn = each->ifa_addr != nullptr && isSameAddress(each->ifa_addr, address);
    ::freeifaddrs(all);
    return isOwn;
}

} // namespace

std::string HostPort::text() const
{
    const bool isBracketed = host.find(':') != std::string::npos;
    return (isBracketed ? "[" + host + "]" : host) + ':' + std::to_string(port);
}

Result<HostPort> parseHostPort(std::string_view text, std::uint16_t defaultPort)
{
    HostPort place;
    place.port = defaultPort;
    std::string_view rest = text;
    if (rest.starts_with('[')) {
        const std::size_t close = rest.find(']');
        in6_addr address{};
        std::array<char, INET6_ADDRSTRLEN> written{};
        if (close == std::string_view::npos
            || ::inet_pton(AF_INET6, std::string(rest.substr(1, close - 1)).c_str(), &address) != 1
            || rest.substr(1, close - 1).find('\0') != std::string_view::npos)
            return wrong(text, "an address in brackets is one of IPv6");
        ::inet_ntop(AF_INET6, &address, written.data(), written.size());
        place.host = written.data();
        place.isAddress = true;
        rest.remove_prefix(close + 1);
    } else {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        for (const char each : rest.substr(0, end))
            place.host += each >= 'A' && each <= 'Z' ? static_cast<char>(each + 32) : each;
        rest.remove_prefix(end);
        place.isAddress = isPlainIpv4(place.host);
        if (!place.isAddress && !isName(place.host))
            return wrong(
                text,
                "a name has letters, digits, \"-\" and \".\" alone (others as xn--…), an address is plain");
    }
    if (rest.empty() && defaultPort != 0)
        return place;
    unsigned port = 0;
    if (!rest.starts_with(':') || rest.size() < 2 || rest.size() > 6)
        return wrong(text, "a port follows a colon");
    const auto [end, failed] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), port);
    if (failed != std::errc() || end != rest.data() + rest.size() || port == 0 || port > 65535)
        return wrong(text, "a port is from 1 to 65535");
    place.port = static_cast<std::uint16_t>(port);
    return place;
}

bool EgressRule::allows(const HostPort& wanted) const
{
    if (wanted.port != place.port)
        return false;
    if (!isBelow)
        return wanted.host == place.host;
    return !wanted.isAddress && wanted.host.size() > place.host.size() + 1
        && wanted.host.ends_with(place.host)
        && wanted.host[wanted.host.size() - place.host.size() - 1] == '.';
}

std::string EgressRule::text() const
{
    return (isBelow ? "*." : "") + place.text();
}

Result<EgressRule> parseEgressRule(std::string_view text)
{
    EgressRule rule;
    rule.isBelow = text.starts_with("*.");
    auto place = parseHostPort(rule.isBelow ? text.substr(2) : text, 443);
    if (!place)
        return std::move(place.error());
    if (rule.isBelow && (place->isAddress || place->host.find('.') == std::string::npos))
        return wrong(text, "\"*.\" stands before a name of two parts or more");
    rule.place = std::move(*place);
    return rule;
}

bool isPublicAddress(const sockaddr* address)
{
    if (address->sa_family == AF_INET) {
        if (isAmong(number4(address), kSpecial4))
            return false;
    } else if (address->sa_family == AF_INET6) {
        if ((bytes6(address).s6_addr[0] & 0xE0U) != 0x20 || isAmong(bytes6(address), kSpecial6))
            return false;
    } else {
        return false;
    }
    return !isOwnAddress(address);
}

bool mayBeNamed(const sockaddr* address)
{
    if (address->sa_family == AF_INET)
        return !isAmong(number4(address), kNobodys4);
    if (address->sa_family != AF_INET6)
        return false;
    const in6_addr& bytes = bytes6(address);
    if ((bytes.s6_addr[0] & 0xFEU) == 0xFC)
        return !isAmong(bytes, kClouds6);
    return IN6_IS_ADDR_LOOPBACK(&bytes) || isAmong(bytes, kExamples6) || isPublicAddress(address)
        || isOwnAddress(address);
}

std::string addressText(const sockaddr* address)
{
    std::array<char, INET6_ADDRSTRLEN> text{};
    const void* bytes = address->sa_family == AF_INET
        ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in*>(address)->sin_addr)
        : static_cast<const void*>(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
    return ::inet_ntop(address->sa_family, bytes, text.data(), text.size()) == nullptr ? "?" : text.data();
}

} // namespace sg::sandbox::egress
