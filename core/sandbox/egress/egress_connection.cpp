#include "core/sandbox/egress/egress_connection.h"

#include "core/sandbox/egress/byte_relay.h"
#include "core/sandbox/egress/egress_answer.h"
#include "core/sandbox/egress/tls_hello.h"
#include "core/sandbox/egress/waiting_socket.h"

#include <poll.h>
#include <string.h> // explicit_bzero
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sg::sandbox::egress {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using Outcome = EgressDecision::Outcome;
using State = net::HttpHeadResult::State;

constexpr auto kHeadTime = 10s;
constexpr auto kConnectTime = 15s;
constexpr auto kSendTime = 60s;
constexpr Millis kIdle{ 300'000 };
constexpr std::string_view kPlain = "http://";

// "http://host:port/path", split into the place and the path that the host is asked for.
struct PlainTarget {
    std::string_view place;
    std::string path;
};
PlainTarget plainTarget(std::string_view target)
{
    target.remove_prefix(kPlain.size());
    const std::size_t end = std::min(target.find_first_of("/?#"), target.size());
    const std::string_view rest = target.substr(end);
    return { target.substr(0, end), (rest.starts_with('/') ? "" : "/") + std::string(rest) };
}

// Headers that apply to one connection are not passed on.
bool isPassedOn(std::string_view name)
{
    constexpr std::array<std::string_view, 9> kOurs{ "host",   "connection", "proxy-connection",
                                                     "te",     "keep-alive", "proxy-authorization",
                                                     "expect", "upgrade",    "trailer" };
    return std::ranges::find(kOurs, name) == kOurs.end();
}

std::string hostHeader(const HostPort& place, bool tls)
{
    const std::string text = place.text();
    return place.port == (tls ? 443 : 80) ? text.substr(0, text.rfind(':')) : text;
}

bool isChosen(const EgressPolicy& policy, const HostPort& place)
{
    return std::ranges::find(policy.chosen, place) != policy.chosen.end();
}

// The analyzer takes the string of a loop's last turn for the next one's.
void wipe(std::string& text)
{
    ::explicit_bzero(text.data(), text.size()); // NOLINT(clang-analyzer-cplusplus.InnerPointer): see above
}

} // namespace

bool EgressConnection::send(int socket, std::string_view bytes)
{
    return static_cast<bool>(writeAll(socket, bytes, m_stop, steady_clock::now() + kSendTime));
}

bool EgressConnection::allow(const EgressDecision& decision)
{
    if (m_listener(decision))
        return true;
    EgressDecision refused = decision;
    refused.outcome = Outcome::Failed;
    refused.secrets.clear();
    refuse(std::move(refused), { 503, "nothing is let out while the audit log cannot be written." });
    return false;
}

bool EgressConnection::countBytes(RelayWay way, std::int64_t more)
{
    if (!m_budget.bytes(more)) {
        m_isCut = true;
        return false;
    }
    (way == RelayWay::Out ? m_bytesOut : m_bytesIn) += more;
    return true;
}

void EgressConnection::tellIfCut(const std::string& method, const HostPort& place)
{
    if (!m_isCut)
        return;
    EgressDecision cut{
        Outcome::Cut, method, place.text(), {}, "the session has used all the bytes that it may"
    };
    cut.bytesOut = m_bytesOut;
    cut.bytesIn = m_bytesIn;
    m_listener(cut);
}

void EgressConnection::refuse(EgressDecision decision, const Refusal& refusal)
{
    if (decision.place.starts_with(std::string(kCheckedHost) + ':'))
        decision.outcome = Outcome::Checked;
    decision.reason = refusal.why;
    m_listener(decision);
    if (!send(m_socket.get(), egressAnswer(refusal.status, refusal.why)))
        return;
    // The rest of the request is read for a moment, as a reset would discard the answer.
    (void)::shutdown(m_socket.get(), SHUT_WR);
    std::array<char, 4096> rest{};
    const SteadyTime end = steady_clock::now() + 1s;
    while (const auto got = readSome(m_socket.get(), rest.data(), rest.size(), m_stop, end))
        if (*got == 0)
            break;
}

bool EgressConnection::readHead(net::HttpHead& head)
{
    const SteadyTime end = steady_clock::now() + kHeadTime;
    std::array<char, 8192> buffer{};
    while (true) {
        const auto read = net::parseHttpHead(m_early, head);
        if (read.state == State::Whole) {
            m_early.erase(0, read.size);
            return true;
        }
        if (read.state == State::Refused) {
            refuse({ .outcome = Outcome::Denied },
                   { read.status, std::string("this is no request to a proxy: ") + read.why + "." });
            return false;
        }
        const auto got = readSome(m_socket.get(), buffer.data(), buffer.size(), m_stop, end);
        if (!got || *got == 0)
            return false;
        m_early.append(buffer.data(), *got);
    }
}

void EgressConnection::serve(Fd socket, std::string early)
{
    m_socket = std::move(socket);
    m_early = std::move(early);
    net::HttpHead head;
    if (!readHead(head))
        return;
    if (const char* const over = m_budget.request(steady_clock::now())) {
        refuse({ .outcome = Outcome::Denied, .method = head.method, .place = head.target.substr(0, 300) },
               { 429, std::string(over) + "." });
        return;
    }
    if (head.method == "CONNECT")
        tunnel(head);
    else if (head.target.starts_with(kPlain))
        forward(head);
    else
        refuse({ .outcome = Outcome::Denied, .method = head.method, .place = head.target.substr(0, 300) },
               { 400, "a proxy is asked for http://HOST/… or to CONNECT to HOST:PORT." });
}

std::string EgressConnection::whyNot(const HostPort& place) const
{
    const bool isOpen =
        m_policy.openPort != 0 && place.port == m_policy.openPort && place.host != kCheckedHost;
    if (isOpen || isChosen(m_policy, place)
        || std::ranges::any_of(m_policy.rules, [&](const EgressRule& rule) { return rule.allows(place); }))
        return {};
    return place.text() + " is not among the hosts that this session may reach (" + reachableText(m_policy)
        + "). " + m_policy.advice;
}

bool EgressConnection::mayConnect(const HostPort& place, const FoundAddress& address) const
{
    if (isPublicAddress(address.get()))
        return true;
    if (mayBeNamed(address.get()) && isChosen(m_policy, place))
        return true;
    const HostPort real{ addressText(address.get()), place.port, true };
    return std::ranges::find(m_policy.trusts, real) != m_policy.trusts.end();
}

bool EgressConnection::isThrough(const HostPort& place) const
{
    return m_policy.upstream && m_policy.upstream->isFor(place);
}

// The user's proxy may resolve names that this machine does not know. As their addresses cannot be checked
// here, it is asked only for hosts that this user named.
Result<std::vector<FoundAddress>> EgressConnection::find(const HostPort& place, SteadyTime end) const
{
    auto addresses = lookUp(place, m_stop, end, m_budget.lookups());
    if (addresses || addresses.error().code != Errc::NotFound || !isThrough(place))
        return addresses;
    if (isChosen(m_policy, place))
        return std::vector<FoundAddress>();
    return Error{ Errc::PermissionDenied,
                  "this machine cannot look up " + place.host + ", and the proxy "
                      + m_policy.upstream->place.text() + " is asked only for names that your settings name. "
                      + m_policy.advice };
}

Result<EgressConnection::Reached> EgressConnection::connectToOne(const HostPort& place,
                                                                 const std::vector<FoundAddress>& addresses,
                                                                 SteadyTime end) const
{
    if (isThrough(place)) {
        // The proxy is asked for the addresses that were checked, as it might resolve others. Some proxies
        // accept only names.
        std::vector<HostPort> asked;
        for (const FoundAddress& each : addresses)
            asked.push_back({ addressText(each.get()), place.port, true });
        if (isChosen(m_policy, place) && !place.isAddress)
            asked.push_back(place);
        Error failure{ Errc::Unavailable, "it has no address" };
        for (const HostPort& each : asked) {
            auto socket = connectThrough(*m_policy.upstream, each, m_stop, end, m_budget.lookups());
            if (socket)
                return Reached{ std::move(*socket), m_policy.upstream->place.text() };
            failure = std::move(socket.error());
        }
        return failure;
    }
    Error failure{ Errc::Unavailable, "it has no address" };
    for (const FoundAddress& each : addresses) {
        auto connected = connectTo(each.get(), each.size, m_stop, end);
        if (connected)
            return Reached{ Fd(*connected), addressText(each.get()) };
        failure = std::move(connected.error());
    }
    return failure;
}

Fd EgressConnection::reach(const std::string& method, const Result<HostPort>& place, const std::string& shown,
                           EgressDecision* untold)
{
    EgressDecision decision{ .outcome = Outcome::Denied, .method = method, .place = shown.substr(0, 300) };
    if (!place) {
        refuse(std::move(decision), { 403, place.error().message + "." });
        return {};
    }
    decision.place = place->text();
    if (std::string why = whyNot(*place); !why.empty()) {
        refuse(std::move(decision), { 403, std::move(why) });
        return {};
    }
    const SteadyTime end = steady_clock::now() + kConnectTime;
    const auto addresses = find(*place, end);
    if (!addresses) {
        const bool isDenied = addresses.error().code == Errc::PermissionDenied;
        decision.outcome = isDenied ? Outcome::Denied : Outcome::Failed;
        std::string why = addresses.error().message + (isDenied ? "" : ".");
        refuse(std::move(decision), { isDenied ? 403 : 502, std::move(why) });
        return {};
    }
    // One private address is enough to refuse: the next resolution might return it alone.
    for (const FoundAddress& each : *addresses)
        if (!mayConnect(*place, each)) {
            decision.address = addressText(each.get());
            refuse(std::move(decision),
                   { 403,
                     place->host + " leads to " + addressText(each.get())
                         + ", which is this machine or a private network." });
            return {};
        }
    auto reached = connectToOne(*place, *addresses, end);
    if (!reached) {
        decision.outcome = Outcome::Failed;
        refuse(std::move(decision),
               { 502, place->text() + " cannot be reached: " + reached.error().message + "." });
        return {};
    }
    decision.outcome = Outcome::Allowed;
    decision.address = std::move(reached->address);
    if (untold != nullptr)
        *untold = std::move(decision);
    else if (!allow(decision))
        return {};
    return std::move(reached->socket);
}

// The TLS client in a tunnel must ask for the host that the tunnel was requested for.
bool EgressConnection::namesItsHost(const HostPort& place)
{
    const SteadyTime end = steady_clock::now() + kHeadTime;
    std::array<char, 8192> buffer{};
    std::string why = "the connection ended before TLS began";
    while (true) {
        const TlsHello hello = parseTlsHello(m_early);
        if (hello.state == TlsHello::State::Whole) {
            const bool isSame = place.isAddress ? !hello.hasName : hello.hasName && hello.name == place.host;
            if (isSame && !hello.isEncrypted)
                return true;
            why = hello.isEncrypted ? "TLS hides the host that it asks for (Encrypted Client Hello)"
                : hello.hasName     ? "TLS asks for another host, " + hello.name.substr(0, 253)
                                    : "TLS names no host";
            break;
        }
        if (hello.state == TlsHello::State::Broken) {
            why = "what is sent is no TLS, and only TLS can be told to be for that host";
            break;
        }
        const auto got = readSome(m_socket.get(), buffer.data(), buffer.size(), m_stop, end);
        if (!got || *got == 0)
            return false; // the client has disconnected
        m_early.append(buffer.data(), *got);
    }
    m_listener({ Outcome::Denied, "CONNECT", place.text(), {}, why });
    return false;
}

void EgressConnection::tunnel(const net::HttpHead& head)
{
    const auto place = parseHostPort(head.target, 0);
    const Fd host = reach(head.method, place, head.target);
    if (!host.isOpen() || !send(m_socket.get(), "HTTP/1.1 200 Connection established\r\n\r\n")
        || !namesItsHost(*place))
        return;
    if (countBytes(RelayWay::Out, static_cast<std::int64_t>(m_early.size())) && send(host.get(), m_early))
        relayBytes({ m_socket.get(), host.get(), m_stop }, RelayMode::BothWays, kIdle,
                   [this](RelayWay way, std::int64_t count) { return countBytes(way, count); });
    tellIfCut(head.method, *place);
}

EgressConnection::Given::~Given()
{
    wipe(lines);
}

std::optional<EgressConnection::Given> EgressConnection::givenTo(const HostPort& asked,
                                                                 const std::string& method)
{
    constexpr std::string_view kSecret = "{secret}";
    Given given;
    given.place = asked;
    for (const EgressHeader& each : m_policy.headers) {
        // TLS and plain headers of one host are not mixed: the first one decides.
        if (!each.isFor(asked)
            || (!given.names.empty() && (each.tls != given.tls || !(each.place == given.place))))
            continue;
        auto secret = each.find ? each.find() : Result<std::string>(std::string());
        if (!secret || !isHeaderText(*secret)) {
            const std::string why = secret
                ? "the secret " + each.secret + " has characters that no header may have"
                : secret.error().message;
            if (secret)
                wipe(*secret);
            refuse({ .outcome = Outcome::Failed, .method = method, .place = each.place.text() },
                   { 502, why + "." });
            return std::nullopt;
        }
        const std::size_t at = each.pattern.find(kSecret);
        given.lines.reserve(given.lines.size() + each.name.size() + each.pattern.size() + secret->size() + 4);
        given.lines += each.name + ": " + each.pattern.substr(0, at);
        given.lines += *secret;
        given.lines += each.pattern.substr(at + kSecret.size()) + "\r\n";
        wipe(*secret);
        given.names.push_back(each.name);
        given.secrets.push_back(each.secret);
        given.tls = each.tls;
        given.place = each.place;
    }
    return given;
}

std::optional<EgressHost> EgressConnection::reachHost(const net::HttpHead& head, const Given& given)
{
    EgressDecision decision; // reported once it is known whether the secrets are used
    Fd socket = reach(head.method, given.place, given.place.text(), &decision);
    if (!socket.isOpen())
        return std::nullopt;
    decision.secrets = given.secrets;
    if (!given.tls)
        return allow(decision) ? std::optional(EgressHost(std::move(socket))) : std::nullopt;
    auto tls = net::TlsStream::open(std::move(socket),
                                    { .host = given.place.host,
                                      .authorities = m_policy.authorities,
                                      .time = kConnectTime,
                                      .isStopped = [this] {
                                          pollfd stopped{ m_stop, POLLIN, 0 };
                                          return ::poll(&stopped, 1, 0) != 0;
                                      } });
    if (!tls) {
        refuse({ .outcome = Outcome::Failed, .method = head.method, .place = given.place.text() },
               { 502, tls.error().message + "." });
        return std::nullopt;
    }
    if (!allow(decision))
        return std::nullopt;
    return EgressHost(std::move(*tls));
}

bool EgressConnection::passBody(EgressHost& host, std::uint64_t size)
{
    std::array<char, 16384> buffer{};
    while (size > 0) {
        if (m_early.empty()) {
            const auto got =
                readSome(m_socket.get(), buffer.data(), std::min<std::uint64_t>(size, buffer.size()), m_stop,
                         steady_clock::now() + kIdle);
            if (!got || *got == 0)
                return false;
            m_early.assign(buffer.data(), *got);
        }
        const std::string part = m_early.substr(0, size);
        m_early.erase(0, part.size());
        size -= part.size();
        if (!countBytes(RelayWay::Out, static_cast<std::int64_t>(part.size()))
            || !host.send(part, m_stop, steady_clock::now() + kSendTime))
            return false;
    }
    return true;
}

void EgressConnection::forward(const net::HttpHead& head)
{
    const PlainTarget target = plainTarget(head.target);
    const std::string shown(target.place.substr(0, 300));
    if (head.isChunked) {
        refuse({ .outcome = Outcome::Denied, .method = head.method, .place = shown },
               { 411, "a plain request tells the length of its body." });
        return;
    }
    const auto asked = parseHostPort(target.place, 80);
    if (!asked) {
        (void)reach(head.method, asked, shown); // answers with the reason
        return;
    }
    const auto given = givenTo(*asked, head.method); // its answer would hold the request's own head
    if (given && !given->names.empty() && head.method == "TRACE") { // its answer is the request's own head
        refuse({ .outcome = Outcome::Denied, .method = head.method, .place = shown },
               { 405, "what is asked with a secret cannot be traced." });
        return;
    }
    auto host = given ? reachHost(head, *given) : std::nullopt;
    if (!host)
        return;
    std::string request = head.method + ' ' + target.path
        + " HTTP/1.1\r\nHost: " + hostHeader(given->place, given->tls) + "\r\n";
    for (const auto& [name, value] : head.headers)
        if (isPassedOn(name) && std::ranges::find(given->names, name) == given->names.end())
            request += name + ": " + value + "\r\n";
    request.reserve(request.size() + given->lines.size() + 32);
    request += given->lines;
    request += "Connection: close\r\n\r\n";
    const bool isSent = host->send(request, m_stop, steady_clock::now() + kSendTime);
    ::explicit_bzero(request.data(), request.size());
    if (isSent && passBody(*host, head.contentLength.value_or(0)))
        host->relayAnswer(m_socket.get(), m_stop, kIdle,
                          [this](RelayWay way, std::int64_t count) { return countBytes(way, count); });
    tellIfCut(head.method, given->place);
}

} // namespace sg::sandbox::egress
