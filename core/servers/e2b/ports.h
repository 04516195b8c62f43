#pragma once

#include "core/net/http_exchange.h"
#include "core/servers/e2b/sandboxes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sg::servers::e2b {

inline constexpr int kMostPortConnections = 64; // to one sandbox at once

// A port of a service, not of the daemons: 1 to 65535.
std::optional<std::int64_t> servicePort(std::string_view port);
// Tells whether the request comes from no page, or from one of the same server.
bool isOwnPage(const net::HttpHead& head);
// Passes a request on to a server in the sandbox, by HTTP or WebSocket. The caller has checked who asks. Any
// thread.
void answerPort(net::HttpExchange& exchange, Sandbox& sandbox, std::int64_t port, const std::string& target);

} // namespace sg::servers::e2b
