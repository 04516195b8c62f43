#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/net/connect_rpc.h"
#include "core/net/http_exchange.h"

#include <string>
#include <string_view>

// The forms of E2B's two protocols: JSON over HTTP, and Connect RPC with JSON.
namespace sg::servers::e2b {

inline constexpr std::size_t kMostMessage = 16U << 20;

std::string headerOf(const net::HttpHead& head, std::string_view name); // empty if it is absent

// {"code": status, "message": why}
net::HttpAnswer failure(int status, const std::string& why);
int statusOf(Errc code);
// The body as a JSON object; answers and returns an error if it is none. An empty body is {}.
Result<Value> readObject(net::HttpExchange& exchange);

void rpcFailure(net::HttpExchange& exchange, const Error& error);
void rpcAnswer(net::HttpExchange& exchange, const Value& message);

// A stream of envelopes: one byte of flags, four of length, JSON.
class RpcStream {
public:
    explicit RpcStream(net::HttpExchange& exchange)
        : m_exchange(exchange)
    {
    }
    // Null: the client's stream has ended.
    Result<Value> read();
    Result<void> send(const Value& message);
    void end(const Error* error = nullptr);

private:
    void begin();
    net::RpcReader m_in{ kMostMessage };
    net::HttpExchange& m_exchange;
};

} // namespace sg::servers::e2b
