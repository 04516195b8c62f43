#pragma once

#include "core/net/http_exchange.h"
#include "core/servers/e2b/client_keys.h"
#include "core/servers/e2b/sandboxes.h"

namespace sg::servers::e2b {

struct ControlWorld {
    const Clock& clock;
    std::string domain; // PORT-ID before it is the host of a sandbox's service
    bool isLikeKruise = false; // no newer addresses, an older daemon, and other odd answers
};

// Answers requests about a client's sandboxes: make, list, find, pause, end. Any thread.
void answerControl(net::HttpExchange& exchange, const Client& client, Sandboxes& sandboxes,
                   const ControlWorld& world);

} // namespace sg::servers::e2b
