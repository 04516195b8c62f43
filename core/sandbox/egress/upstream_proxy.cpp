#include "core/sandbox/egress/upstream_proxy.h"

#include "core/base/printable.h"
#include "core/sandbox/egress/waiting_socket.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace sg::sandbox::egress {
namespace {

constexpr std::string_view kScheme = "http://";
constexpr std::size_t kMostAnswer = 16384;

std::string base64(std::string_view bytes)
{
    constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i)
            group = group << 8U | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
        for (std::size_t i = 0; i < 4; ++i)
            text += at + i <= bytes.size() ? kLetters[group >> (18U - 6U * i) & 63U] : '=';
    }
    return text;
}

// Decodes "%40" to "@": an address escapes characters that would end its user part.
std::string unescaped(std::string_view text)
{
    const auto digit = [](char each) {
        return each >= '0' && each <= '9' ? each - '0'
            : each >= 'a' && each <= 'f'  ? each - 'a' + 10
            : each >= 'A' && each <= 'F'  ? each - 'A' + 10
                                          : -1;
    };
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
            plain += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
            i += 2;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

// Reads the head of the answer to CONNECT; nothing follows it before we have spoken.
Result<std::string> answerOf(const Fd& socket, int stop, SteadyTime end)
{
    std::string head;
    while (!head.ends_with("\r\n\r\n")) {
        char each = 0; // byte by byte: the rest belongs to the host
        const auto got = readSome(socket.get(), &each, 1, stop, end);
        if (!got)
            return got.error();
        if (*got == 0 || head.size() >= kMostAnswer)
            return Error{ Errc::Unavailable, "it did not answer as a proxy does" };
        head += each;
    }
    return head.substr(0, head.find('\r'));
}

struct Address {
    std::array<std::uint8_t, 16> bytes{};
    unsigned bits = 0; // 32 or 128
};
std::optional<Address> addressOf(std::string_view text)
{
    const std::string copy(text);
    Address address;
    if (::inet_pton(AF_INET, copy.c_str(), address.bytes.data()) == 1)
        address.bits = 32;
    else if (::inet_pton(AF_INET6, copy.c_str(), address.bytes.data()) == 1)
        address.bits = 128;
    else
        return std::nullopt;
    return address;
}

bool isSame(const Address& a, const Address& b, unsigned bits)
{
    for (unsigned i = 0; i < bits; ++i)
        if (((a.bytes[i / 8] ^ b.bytes[i / 8]) >> (7U - i % 8) & 1U) != 0)
            return false;
    return a.bits == b.bits;
}

template<typename Number>
std::optional<Number> numberOf(std::string_view text)
{
    Number number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failed == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// `network` is "10.0.0.0/8" or "fd00::/8"; names are not resolved for it.
bool isWithin(const HostPort& wanted, std::string_view network)
{
    const std::size_t slash = network.find('/');
    const auto first = addressOf(network.substr(0, slash));
    const auto bits = numberOf<unsigned>(network.substr(slash + 1));
    const auto address = addressOf(wanted.host);
    return first && bits && address && *bits <= first->bits && isSame(*first, *address, *bits);
}

// `name` is "example.com" (and each name below it) or an address; either with a port: "[::1]:8080".
bool isNamed(const HostPort& wanted, std::string_view name)
{
    const bool isBracketed = name.starts_with('[');
    const std::size_t close = isBracketed ? name.find(']') : std::string_view::npos;
    std::string_view host = isBracketed ? name.substr(1, std::min(close, name.size()) - 1) : name;
    std::string_view port = close == std::string_view::npos ? std::string_view() : name.substr(close + 1);
    if (!isBracketed && std::ranges::count(name, ':') == 1) { // more: an IPv6 address
        host = name.substr(0, name.find(':'));
        port = name.substr(host.size());
    }
    if (!port.empty() && (port.front() != ':' || numberOf<std::uint16_t>(port.substr(1)) != wanted.port))
        return false;
    if (const auto address = addressOf(host)) {
        const auto other = addressOf(wanted.host);
        return other && isSame(*address, *other, address->bits);
    }
    return wanted.host == host
        || (!wanted.isAddress && !host.empty() && wanted.host.size() > host.size()
            && wanted.host.ends_with(host) && wanted.host[wanted.host.size() - host.size() - 1] == '.');
}

} // namespace

bool UpstreamProxy::isFor(const HostPort& wanted) const
{
    return std::ranges::none_of(without, [&](const std::string& each) {
        return each == "*"
            || (each.find('/') == std::string::npos ? isNamed(wanted, each) : isWithin(wanted, each));
    });
}

Result<UpstreamProxy> parseUpstreamProxy(std::string_view url, std::string_view without)
{
    if (url.starts_with(kScheme))
        url.remove_prefix(kScheme.size());
    if (url.find("://") != std::string_view::npos)
        return Error{ Errc::InvalidArgument,
                      "only proxies that are spoken to as http:// are supported, not \""
                          + std::string(url.substr(0, url.find("://"))) + "://\"" };
    url = url.substr(0, url.find_first_of("/?#"));
    UpstreamProxy proxy;
    if (const std::size_t at = url.rfind('@'); at != std::string_view::npos) {
        proxy.authorization = "Basic " + base64(unescaped(url.substr(0, at)));
        url.remove_prefix(at + 1);
    }
    auto place = parseHostPort(url, 80);
    if (!place)
        return std::move(place.error());
    proxy.place = std::move(*place);
    while (!without.empty()) {
        const std::size_t end = std::min(without.find(','), without.size());
        std::string each;
        for (const char letter : without.substr(0, end))
            if (letter != ' ' && !(letter == '.' && each.empty())) // ".example.com" means example.com
                each += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
        if (!each.empty())
            proxy.without.push_back(std::move(each));
        without.remove_prefix(std::min(end + 1, without.size()));
    }
    return proxy;
}

Result<Fd> connectThrough(const UpstreamProxy& proxy, const HostPort& wanted, int stop, SteadyTime end,
                          const LookupCount& underWay)
{
    const std::string during = "reach it by the proxy " + proxy.place.text();
    const auto addresses = lookUp(proxy.place, stop, end, underWay);
    if (!addresses)
        return Error(addresses.error()).during(during);
    Error failure{ Errc::Unavailable, "it has no address" };
    for (const FoundAddress& each : *addresses) {
        auto connected = connectTo(each.get(), each.size, stop, end);
        if (!connected) {
            failure = std::move(connected.error());
            continue;
        }
        Fd socket(*connected);
        std::string request = "CONNECT " + wanted.text() + " HTTP/1.1\r\nHost: " + wanted.text() + "\r\n";
        if (!proxy.authorization.empty())
            request += "Proxy-Authorization: " + proxy.authorization + "\r\n";
        if (auto sent = writeAll(socket.get(), request + "\r\n", stop, end); !sent)
            return std::move(sent.error()).during(during);
        const auto answer = answerOf(socket, stop, end);
        if (!answer)
            return Error(answer.error()).during(during);
        // "HTTP/1.1 200 Connection established"
        if (answer->size() < 12 || !answer->starts_with("HTTP/1.") || answer->substr(8, 2) != " 2") {
            std::string said = answer->substr(0, 80);
            std::ranges::replace(said, '\n', ' ');
            return Error{ Errc::Unavailable, "it answered \"" + printableText(said) + '"' }.during(during);
        }
        return socket;
    }
    return std::move(failure).during(during);
}

} // namespace sg::sandbox::egress
