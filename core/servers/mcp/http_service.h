#pragma once

#include "core/base/result.h"
#include "core/net/http_server.h"
#include "core/servers/mcp/offering.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sg::servers {

struct McpHttpOptions {
    net::HttpServerOptions http;
    std::vector<std::string> hosts; // further Host headers to accept, for use behind a proxy
    std::string token; // a client shows it as "Authorization: Bearer TOKEN"; empty: it needs none
};

// Serves any number of clients at /mcp over streamable HTTP, in both eras of the protocol, until it is
// destroyed. `offering` outlives it. Any thread.
class McpHttpService {
public:
    static Result<std::unique_ptr<McpHttpService>> start(Offering& offering, const std::string& version,
                                                         const McpHttpOptions& options);
    virtual ~McpHttpService() = default;
    [[nodiscard]] virtual std::uint16_t port() const = 0;
};

} // namespace sg::servers
