#pragma once

#include "core/base/child_process.h"
#include "core/net/http_exchange.h"

#include <string>
#include <vector>

namespace sg::net {

struct HttpRelay {
    std::string target; // in place of the request's
    std::vector<std::string> drops; // names in lower case of headers that the server must not see
};

// Passes a request on to a server at the other end of a connected socket, and its answer back as it comes:
// 502 where there is none. A change of protocol (WebSocket) joins both until one ends. The server may be
// hostile: what it says is one answer to this request, whatever it writes. Returns when it is over, soon
// after the client has gone.
void relayHttp(HttpExchange& exchange, const Fd& server, const HttpRelay& relay);

} // namespace sg::net
