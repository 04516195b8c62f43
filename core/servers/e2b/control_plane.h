#pragma once

#include "core/net/http_exchange.h"
#include "core/servers/e2b/client_keys.h"
#include "core/servers/e2b/sandboxes.h"

namespace sg::servers::e2b {

// Answers requests about a client's sandboxes: make, list, find, pause, end. Any thread.
void answerControl(net::HttpExchange& exchange, const Client& client, Sandboxes& sandboxes,
                   const Clock& clock);

} // namespace sg::servers::e2b
