#pragma once

#include "core/net/http_exchange.h"
#include "core/servers/e2b/sandboxes.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace sg::servers::e2b {

// Answers as E2B's daemon in a sandbox does: commands and files, as Connect RPC and as plain HTTP. The caller
// has checked who asks. Any thread.
class Envd {
public:
    // `path`: the target's, without what led to the sandbox.
    void answer(net::HttpExchange& exchange, const std::string& path, Sandbox& sandbox);
    // The signature that a request for a file must have, for "read" or "write".
    static std::string signature(const net::HttpHead& head, const std::string& token);

private:
    using Reply = Result<Value>;
    Reply unary(const std::string& method, const Value& asked, Sandbox& sandbox, AgentLink& agent,
                const std::stop_token& stop);
    Reply watcher(const std::string& method, const Value& asked, Sandbox& sandbox, AgentLink& agent,
                  const std::stop_token& stop);
    void metrics(net::HttpExchange& exchange, Sandbox& sandbox);

    struct Watcher {
        std::string sandbox;
        std::shared_ptr<AgentLink> agent; // outlives the call
        AgentLink::Call call;
    };
    std::mutex m_mutex;
    std::map<std::string, std::shared_ptr<Watcher>> m_watchers; // guarded by m_mutex
};

// {"timestamp", "cpuCount", "memUsed", …}
Value metricsOf(Sandbox& sandbox, WallTime now);

} // namespace sg::servers::e2b
