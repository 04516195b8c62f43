#pragma once

#include "core/mcp/json_rpc.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace sg::mcp {

// A request to a server, and who hears of what comes before its answer.
struct Ask {
    std::string method;
    Value params{};
    std::string name{}; // of the tool or resource, for the header of HTTP
    std::chrono::milliseconds timeout{ 60'000 };
    std::stop_token stop{};
    std::function<void(const RpcMessage&)> onNotice{}; // may be empty
    // A request of the server's own: returns what it is answered. Empty: it is refused, but for "ping".
    std::function<RpcMessage(const RpcMessage&)> onRequest{};
    bool progress = false; // the server may tell how far it is
};

// The parameters as they are sent: with a token for progress, which is the request's id, where that is
// wanted.
Value paramsOf(const Ask& ask, std::int64_t id);

// Carries messages to one server and back. Any thread, several requests at once; callbacks run on the thread
// that asks.
class Wire {
public:
    virtual ~Wire() = default; // ends the connection
    // The answer or the failure that the server sent. Errc::Timeout and Cancelled, after the server was told;
    // Unavailable: it is gone, and the text has its last words; NotFound: its session is gone; LimitExceeded.
    virtual Result<RpcMessage> ask(const Ask& ask) = 0;
    virtual Result<void> tell(const RpcMessage& notice) = 0;
    // Says what both sides speak from now on.
    virtual void settle(const std::string& version) = 0;
};

} // namespace sg::mcp
