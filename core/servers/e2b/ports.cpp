#include "core/servers/e2b/ports.h"

#include "core/net/http_relay.h"
#include "core/servers/e2b/wire.h"

#include <charconv>

namespace sg::servers::e2b {
namespace {

class Counted {
public:
    explicit Counted(std::atomic<int>& count)
        : m_count(count)
        , m_number(++count)
    {
    }
    ~Counted() { --m_count; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    [[nodiscard]] int number() const { return m_number; }

private:
    std::atomic<int>& m_count;
    const int m_number;
};

} // namespace

std::optional<std::int64_t> servicePort(std::string_view port)
{
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(port.data(), port.data() + port.size(), number);
    if (failed != std::errc() || end != port.data() + port.size() || number < 1 || number > 65535)
        return std::nullopt;
    return number;
}

bool isOwnPage(const net::HttpHead& head)
{
    const std::string origin = headerOf(head, "origin");
    const std::size_t scheme = origin.find("://");
    return origin.empty()
        || (scheme != std::string::npos && origin.substr(scheme + 3) == headerOf(head, "host"));
}

void answerPort(net::HttpExchange& exchange, Sandbox& sandbox, std::int64_t port, const std::string& target)
{
    const Counted counted(sandbox.portConnections);
    if (counted.number() > kMostPortConnections)
        return exchange.answer(failure(429,
                                       "The ports of this sandbox have "
                                           + std::to_string(kMostPortConnections)
                                           + " connections already, which is the most"));
    auto agent = sandbox.reach();
    if (!agent)
        return exchange.answer(failure(statusOf(agent.error().code), agent.error().message));
    const auto connection = (*agent)->connect(port, exchange.gone());
    if (!connection && connection.error().code == Errc::NotFound)
        return exchange.answer(
            failure(502, "The sandbox is running but port is not open: " + std::to_string(port)));
    if (!connection)
        return exchange.answer(failure(502, connection.error().message));
    // The code in the sandbox is not the one that these are for.
    net::relayHttp(exchange, *connection,
                   { target,
                     { "x-access-token", "e2b-traffic-access-token", "x-api-key", "e2b-sandbox-id",
                       "e2b-sandbox-port" } });
}

} // namespace sg::servers::e2b
