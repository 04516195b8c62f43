#include "core/servers/e2b/e2b_service.h"

#include "core/base/hmac.h"
#include "core/net/host_check.h"
#include "core/servers/e2b/client_keys.h"
#include "core/servers/e2b/control_plane.h"
#include "core/servers/e2b/envd.h"
#include "core/servers/e2b/interpreter.h"
#include "core/servers/e2b/ports.h"
#include "core/servers/e2b/sandboxes.h"
#include "core/servers/e2b/wire.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <charconv>

namespace sg::servers {
namespace {

using namespace e2b;
using net::HttpExchange;
using net::HttpHead;

constexpr const char* kEnvdPort = "49983";
constexpr const char* kInterpreterPort = "49999";

// The sandbox that a request is for, and one of its ports; empty: none.
struct Route {
    std::string sandbox;
    std::string port;
    std::string path; // what the daemon there is asked for
};

bool isIdentifier(std::string_view text)
{
    return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char each) {
        return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9');
    });
}

// Reads OpenKruise's way: /kruise/ID/PORT/PATH.
Route routeByPath(std::string_view path)
{
    constexpr std::string_view kStart = "/kruise/";
    if (!path.starts_with(kStart))
        return {};
    path.remove_prefix(kStart.size());
    const std::size_t id = path.find('/');
    const std::size_t port = id == std::string_view::npos ? id : path.find('/', id + 1);
    if (port == std::string_view::npos || path.substr(0, id) == "api")
        return {};
    const std::string_view number = path.substr(id + 1, port - id - 1);
    const bool isPort = !number.empty()
        && std::ranges::all_of(number, [](unsigned char each) { return std::isdigit(each) != 0; });
    return { isIdentifier(path.substr(0, id)) && isPort ? std::string(path.substr(0, id)) : "none",
             std::string(number), std::string(path.substr(port)) };
}

Route routeOf(const HttpHead& head)
{
    const std::string path(net::pathOf(head.target));
    if (Route route = routeByPath(path); !route.sandbox.empty())
        return route;
    const std::string id = headerOf(head, "e2b-sandbox-id");
    if (!id.empty()) {
        const std::string port = headerOf(head, "e2b-sandbox-port");
        return { isIdentifier(id) ? id : "none", port.empty() ? kEnvdPort : port, path };
    }
    // PORT-ID.domain
    const std::string host = headerOf(head, "host");
    const std::size_t dash = host.find('-');
    const std::size_t dot = host.find('.');
    if (dash != std::string::npos && dot != std::string::npos && dash < dot
        && isIdentifier(host.substr(dash + 1, dot - dash - 1))
        && std::ranges::all_of(host.substr(0, dash),
                               [](unsigned char each) { return std::isdigit(each) != 0; }))
        return { host.substr(dash + 1, dot - dash - 1), host.substr(0, dash), path };
    return {};
}

// A server that code in the sandbox runs.
bool isOfService(const Route& route)
{
    return !route.sandbox.empty() && route.port != kEnvdPort && route.port != kInterpreterPort;
}

class Service final : public E2bService {
public:
    Service(sessions::SessionManager& sessions, SpecOf spec, const Clock& clock, E2bOptions options)
        : m_clock(clock)
        , m_options(std::move(options))
        , m_keys(m_options.keys)
        , m_sandboxes(sessions, std::move(spec), clock, { m_options.ready, m_options.records })
    {
    }
    Result<void> listen()
    {
        net::HttpServer::Service service;
        service.quick = [this](const HttpHead& head) { return refusal(head); };
        service.exchange = [this](HttpExchange& exchange) { answer(exchange); };
        auto started = net::HttpServer::start(m_options.http, std::move(service));
        if (!started)
            return std::move(started.error());
        m_http = std::move(*started);
        m_port = m_http->port();
        return {};
    }
    [[nodiscard]] std::uint16_t port() const override { return m_port; }

private:
    // A page of another site reaches nothing. The name PORT-ID.domain is no loopback's; the sandbox's token
    // proves it.
    std::optional<net::HttpAnswer> refusal(const HttpHead& head) const
    {
        if (isOfService(routeOf(head)))
            return isOwnPage(head) ? std::nullopt
                                   : std::optional(failure(403, "Pages of other sites get nothing here."));
        const auto verdict = net::checkHost(head, m_port, m_options.hosts);
        if (verdict == net::HostVerdict::ForeignOrigin || head.find("origin") != nullptr)
            return failure(403, "Pages of other sites get nothing here.");
        if (verdict == net::HostVerdict::ForeignHost && routeOf(head).sandbox.empty())
            return failure(403, "This server is not known by that name; see --host.");
        if (net::pathOf(head.target) == "/health" && routeOf(head).sandbox.empty())
            return net::textAnswer(200, "OK");
        return std::nullopt;
    }

    void answer(HttpExchange& exchange)
    {
        const HttpHead& head = exchange.head();
        const Route route = routeOf(head);
        if (!route.sandbox.empty())
            return answerSandbox(exchange, m_sandboxes.findAny(route.sandbox), route);
        if (net::pathOf(head.target) == "/files") {
            const SandboxPtr sandbox = signedFor(head);
            if (!sandbox && net::queryField(head.target, "signature"))
                return exchange.answer(failure(401, "The signature is wrong, or its time is over"));
            return answerSandbox(exchange, sandbox, { {}, kEnvdPort, "/files" });
        }
        const auto client = m_keys.find(headerOf(head, "x-api-key"));
        if (!client)
            return exchange.answer(failure(401, "The X-API-KEY is not one of this server's"));
        const std::string domain =
            m_options.hosts.empty() ? "localhost:" + std::to_string(m_port) : m_options.hosts.front();
        answerControl(exchange, *client, m_sandboxes, { m_clock, domain, m_options.isLikeKruise });
    }

    // A signed address names no sandbox: its signature does.
    SandboxPtr signedFor(const HttpHead& head)
    {
        SandboxPtr found;
        for (const SandboxPtr& each : m_sandboxes.all())
            if (isSigned(head, *each))
                found = each;
        return found;
    }

    bool isSigned(const HttpHead& head, const Sandbox& sandbox) const
    {
        const auto given = net::queryField(head.target, "signature");
        if (!given || !isSameSecretly(*given, Envd::signature(head, sandbox.token)))
            return false;
        const auto until = net::queryField(head.target, "signature_expiration");
        std::int64_t seconds = 0;
        if (!until)
            return true;
        const auto [end, failed] = std::from_chars(until->data(), until->data() + until->size(), seconds);
        return failed == std::errc() && end == until->data() + until->size()
            && std::chrono::duration_cast<std::chrono::seconds>(m_clock.now().time_since_epoch()).count()
            <= seconds;
    }

    bool isAllowed(const HttpHead& head, const Sandbox& sandbox, const std::string& port) const
    {
        if (port != kEnvdPort && port != kInterpreterPort && sandbox.hasOpenPorts)
            return true;
        if (isSameSecretly(headerOf(head, "x-access-token"), sandbox.token))
            return true;
        if (port != kEnvdPort)
            return isSameSecretly(headerOf(head, "e2b-traffic-access-token"), sandbox.trafficToken);
        return isSigned(head, sandbox);
    }

    void answerSandbox(HttpExchange& exchange, const SandboxPtr& sandbox, const Route& route)
    {
        const HttpHead& head = exchange.head();
        bool isThere = sandbox != nullptr;
        if (isThere) {
            const std::lock_guard lock(sandbox->mutex);
            isThere = !sandbox->isPaused && !sandbox->isOver;
        }
        if (!isThere)
            return exchange.answer(failure(502, "The sandbox was not found"));
        const bool isHealth = route.path == "/health" && !isOfService(route);
        if (!isHealth && !isAllowed(head, *sandbox, route.port))
            return exchange.answer(failure(401, "The access token is missing, or not this sandbox's"));
        if (route.port == kEnvdPort)
            return m_envd.answer(exchange, route.path, *sandbox);
        if (route.port == kInterpreterPort)
            return answerInterpreter(exchange, route.path, *sandbox);
        const auto port = servicePort(route.port);
        if (!port)
            return exchange.answer(failure(400, "There is no port " + route.port.substr(0, 20)));
        const std::string_view target = head.target;
        answerPort(exchange, *sandbox, *port,
                   route.path + std::string(target.substr(std::min(target.find('?'), target.size()))));
    }

    const Clock& m_clock;
    const E2bOptions m_options;
    const ClientKeys m_keys;
    Sandboxes m_sandboxes;
    Envd m_envd;
    std::atomic<std::uint16_t> m_port = 0;
    std::unique_ptr<net::HttpServer> m_http; // last, so that its threads end before what they use
};

} // namespace

Result<std::unique_ptr<E2bService>> E2bService::start(sessions::SessionManager& sessions, SpecOf spec,
                                                      const Clock& clock, const E2bOptions& options)
{
    auto service = std::make_unique<Service>(sessions, std::move(spec), clock, options);
    if (auto listening = service->listen(); !listening)
        return std::move(listening.error());
    return std::unique_ptr<E2bService>(std::move(service));
}

Result<std::string> makeE2bKey(const std::filesystem::path& keys, const std::string& name,
                               const E2bQuota& quota)
{
    return ClientKeys(keys).add(name, { quota.sandboxes, quota.longest, quota.memoryBytes });
}

bool hasE2bKeys(const std::filesystem::path& keys)
{
    return !ClientKeys(keys).isEmpty();
}

} // namespace sg::servers
