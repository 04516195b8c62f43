#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// The messages of the Model Context Protocol: JSON-RPC 2.0, one object a message, without batches.
namespace sg::mcp {

inline constexpr std::size_t kMostMessage = 64U << 20; // bytes of one message

// Revisions. Up to 2025-11-25 a connection begins with "initialize" (the handshake era); from 2026-07-28 on
// every request says for itself what it speaks (the modern era).
inline constexpr std::string_view kModernVersion = "2026-07-28";
inline constexpr std::string_view kHandshakeVersion = "2025-11-25"; // the newest
bool isHandshakeVersion(std::string_view version);

namespace rpc_code {
inline constexpr std::int64_t kParse = -32700;
inline constexpr std::int64_t kInvalidRequest = -32600;
inline constexpr std::int64_t kNoMethod = -32601;
inline constexpr std::int64_t kInvalidParams = -32602;
inline constexpr std::int64_t kInternal = -32603;
inline constexpr std::int64_t kHeaderMismatch = -32020;
inline constexpr std::int64_t kMissingCapability = -32021;
inline constexpr std::int64_t kVersion = -32022;
} // namespace rpc_code

// The keys of a modern request's "_meta".
namespace meta_key {
inline constexpr std::string_view kVersion = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kCapabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kClient = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view kServer = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view kEffect = "sandglass/idempotencyKey"; // ours
inline constexpr std::string_view kSubscription = "io.modelcontextprotocol/subscriptionId";
} // namespace meta_key

struct RpcMessage {
    enum class Kind { Request, Notification, Answer, Failure };
    Kind kind = Kind::Notification;
    Value id{}; // text or whole number; null in a notification, and in a failure whose request had none
    std::string method{}; // of a request or notification
    Value content{}; // its parameters, or the answer; of a failure its data
    std::int64_t code = 0; // of a failure
    std::string message{}; // of a failure
};

// Errc::InvalidArgument: no JSON, or no message of JSON-RPC 2.0.
Result<RpcMessage> parseMessage(std::string_view text);
// The message as one line of JSON, without the line feed.
std::string messageText(const RpcMessage& message);

RpcMessage rpcRequest(Value id, std::string method, Value params);
RpcMessage rpcNotice(std::string method, Value params);
RpcMessage rpcAnswer(Value id, Value result);
RpcMessage rpcFailure(Value id, std::int64_t code, std::string message, Value data = {});

} // namespace sg::mcp
