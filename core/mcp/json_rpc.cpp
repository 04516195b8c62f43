#include "core/mcp/json_rpc.h"

#include "core/base/json.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sg::mcp {
namespace {

constexpr std::array<std::string_view, 4> kHandshakeVersions{ "2024-11-05", "2025-03-26", "2025-06-18",
                                                              kHandshakeVersion };
constexpr std::size_t kMostErrorText = 16U << 10; // bytes of what goes into messages and logs
constexpr JsonLimits kLimits{ kMostMessage, 128 };

Error noMessage(const char* why)
{
    return { Errc::InvalidArgument, std::string("no JSON-RPC message: ") + why };
}

bool isId(const Value& id)
{
    return id.isString() || id.isInt();
}

} // namespace

bool isHandshakeVersion(std::string_view version)
{
    return std::ranges::find(kHandshakeVersions, version) != kHandshakeVersions.end();
}

Result<RpcMessage> parseMessage(std::string_view text)
{
    auto json = parseJson(text, kLimits);
    if (!json)
        return std::move(json.error());
    if (!json->isMap())
        return noMessage("it is no object");
    if (json->stringOr("jsonrpc", "") != "2.0")
        return noMessage("\"jsonrpc\" is not \"2.0\"");
    RpcMessage message;
    const Value* id = json->find("id");
    if (id != nullptr)
        message.id = *id;
    if (const Value* method = json->find("method")) {
        if (!method->isString() || method->asString().empty())
            return noMessage("\"method\" is no text");
        if (id != nullptr && !isId(*id))
            return noMessage("\"id\" is neither text nor a whole number");
        message.kind = id == nullptr ? RpcMessage::Kind::Notification : RpcMessage::Kind::Request;
        message.method = method->asString();
        message.content = (*json)["params"];
        if (!message.content.isNull() && !message.content.isMap())
            return noMessage("\"params\" is no object");
        return message;
    }
    if (const Value* error = json->find("error")) {
        message.kind = RpcMessage::Kind::Failure;
        message.code = error->intOr("code", rpc_code::kInternal);
        message.message = cutText(error->stringOr("message", "an error without a message"), kMostErrorText);
        message.content = (*error)["data"];
        return message;
    }
    const Value* result = json->find("result");
    if (result == nullptr || id == nullptr || !isId(*id))
        return noMessage("it has no \"method\", and no \"id\" with a \"result\" or \"error\"");
    message.kind = RpcMessage::Kind::Answer;
    message.content = *result;
    return message;
}

std::string messageText(const RpcMessage& message)
{
    ValueMap map{ { "jsonrpc", "2.0" } };
    switch (message.kind) {
    case RpcMessage::Kind::Request: map.set("id", message.id); [[fallthrough]];
    case RpcMessage::Kind::Notification:
        map.set("method", message.method);
        if (!message.content.isNull())
            map.set("params", message.content);
        break;
    case RpcMessage::Kind::Answer:
        map.set("id", message.id);
        map.set("result", message.content);
        break;
    case RpcMessage::Kind::Failure: {
        map.set("id", message.id);
        ValueMap error{ { "code", message.code }, { "message", message.message } };
        if (!message.content.isNull())
            error.set("data", message.content);
        map.set("error", Value(std::move(error)));
        break;
    }
    }
    return toJson(Value(std::move(map)));
}

RpcMessage rpcRequest(Value id, std::string method, Value params)
{
    return { RpcMessage::Kind::Request, std::move(id), std::move(method), std::move(params), 0, {} };
}

RpcMessage rpcNotice(std::string method, Value params)
{
    return { RpcMessage::Kind::Notification, {}, std::move(method), std::move(params), 0, {} };
}

RpcMessage rpcAnswer(Value id, Value result)
{
    return { RpcMessage::Kind::Answer, std::move(id), {}, std::move(result), 0, {} };
}

RpcMessage rpcFailure(Value id, std::int64_t code, std::string message, Value data)
{
    return { RpcMessage::Kind::Failure, std::move(id), {}, std::move(data), code, std::move(message) };
}

} // namespace sg::mcp
