#pragma once

#include "core/net/http_exchange.h"
#include "core/servers/e2b/sandboxes.h"

namespace sg::servers::e2b {

// E2B's code interpreter over a session: POST /execute with a line of JSON for each thing that happens, and
// the sandbox's contexts. Any thread.
void answerInterpreter(net::HttpExchange& exchange, const std::string& path, Sandbox& sandbox);

} // namespace sg::servers::e2b
