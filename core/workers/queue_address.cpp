#include "core/workers/queue_address.h"

#include "core/base/redaction.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace sg::workers {
namespace {

constexpr std::string_view kForm =
    "redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE] or unix:///PATH[?db=DATABASE]";

template<typename Number>
bool parseNumber(std::string_view text, Number& number)
{
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failed == std::errc() && end == text.data() + text.size();
}

Error wrong(const std::string& what)
{
    return { Errc::InvalidArgument,
             "the queue's address " + what + "; it is written as " + std::string(kForm) };
}

// Undoes %40 and the like; nullopt: it is cut short, or no number.
std::optional<std::string> decoded(std::string_view text)
{
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            plain += text[i];
            continue;
        }
        unsigned byte = 0;
        if (i + 2 >= text.size())
            return std::nullopt;
        const std::string_view digits = text.substr(i + 1, 2);
        const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
        if (failed != std::errc() || end != digits.data() + digits.size())
            return std::nullopt;
        plain += static_cast<char>(byte);
        i += 2;
    }
    return plain;
}

// Takes "USER:PASSWORD@" from the front of `rest`.
Result<void> takeUser(std::string_view& rest, QueueAddress& address)
{
    const std::string_view place = rest.substr(0, rest.find('/'));
    const std::size_t at = place.rfind('@');
    if (at == std::string_view::npos)
        return {};
    const std::string_view who = rest.substr(0, at);
    const std::size_t colon = who.find(':');
    const auto user = decoded(who.substr(0, colon));
    const auto password = colon == std::string_view::npos ? std::string() : decoded(who.substr(colon + 1));
    if (!user || !password)
        return wrong("has a user or password with a bad %XX");
    address.user = *user;
    address.password = *password;
    if (!address.password.empty())
        keepOut("the queue's password", address.password);
    rest.remove_prefix(at + 1);
    return {};
}

Result<QueueAddress> socketAddress(std::string_view rest)
{
    QueueAddress address;
    if (auto taken = takeUser(rest, address); !taken)
        return std::move(taken.error());
    if (const std::size_t query = rest.find("?db="); query != std::string_view::npos) {
        if (!parseNumber(rest.substr(query + 4), address.database) || address.database < 0)
            return wrong("has no number of a database after \"?db=\"");
        rest = rest.substr(0, query);
    }
    if (!rest.starts_with('/') || rest.size() < 2)
        return wrong("names no absolute path of a unix socket");
    address.socket = rest;
    return address;
}

} // namespace

std::string QueueAddress::shown() const
{
    if (host.empty())
        return "unix://" + socket + (database == 0 ? "" : "?db=" + std::to_string(database));
    const std::string name = host.find(':') == std::string::npos ? host : "[" + host + "]";
    return "redis://" + name + ":" + std::to_string(port)
        + (database == 0 ? "" : "/" + std::to_string(database));
}

Result<QueueAddress> parseQueueAddress(std::string_view text)
{
    if (text.starts_with("rediss://"))
        return Error{ Errc::Unsupported,
                      "rediss:// needs a tunnel: let stunnel speak TLS, and name its own end here, "
                      "such as redis://127.0.0.1:6380 or unix:///run/stunnel/redis.sock" };
    if (text.starts_with("unix://"))
        return socketAddress(text.substr(7));
    if (!text.starts_with("redis://"))
        return wrong("begins with neither redis:// nor unix://");
    std::string_view rest = text.substr(8);
    QueueAddress address;
    if (auto taken = takeUser(rest, address); !taken)
        return std::move(taken.error());
    if (const std::size_t slash = rest.find('/'); slash != std::string_view::npos) {
        const std::string_view number = rest.substr(slash + 1);
        if (!number.empty() && (!parseNumber(number, address.database) || address.database < 0))
            return wrong("has no number of a database after its \"/\"");
        rest = rest.substr(0, slash);
    }
    const bool isBracketed = rest.starts_with('[') && rest.find(']') != std::string_view::npos;
    const std::size_t colon = rest.find(':', isBracketed ? rest.find(']') : 0);
    if (colon != std::string_view::npos
        && (!parseNumber(rest.substr(colon + 1), address.port) || address.port == 0))
        return wrong("has no port number after its \":\"");
    rest = rest.substr(0, colon);
    address.host = isBracketed ? rest.substr(1, rest.size() - 2) : rest;
    const bool isPlain =
        std::ranges::all_of(address.host, [](unsigned char each) { return each > ' ' && each < 127; });
    if (address.host.empty() || !isPlain)
        return wrong("names no host");
    return address;
}

bool isRoleName(std::string_view name)
{
    return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char each) {
        return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '_' || each == '-';
    });
}

} // namespace sg::workers
