#include "core/servers/e2b/wire.h"

#include "core/base/json.h"

namespace sg::servers::e2b {
namespace {

struct RpcCode {
    const char* name;
    int status;
};

RpcCode rpcCodeOf(Errc code)
{
    switch (code) {
    case Errc::InvalidArgument: return { "invalid_argument", 400 };
    case Errc::NotFound: return { "not_found", 404 };
    case Errc::Exists: return { "already_exists", 409 };
    case Errc::Conflict: return { "failed_precondition", 400 };
    case Errc::PermissionDenied: return { "permission_denied", 403 };
    case Errc::LimitExceeded:
    case Errc::NoSpace: return { "resource_exhausted", 429 };
    case Errc::Timeout: return { "deadline_exceeded", 504 };
    case Errc::Cancelled: return { "canceled", 499 };
    case Errc::Unsupported: return { "unimplemented", 501 };
    case Errc::Unavailable:
    case Errc::Busy: return { "unavailable", 503 };
    case Errc::Corrupt:
    case Errc::Io: break;
    }
    return { "internal", 500 };
}

} // namespace

std::string headerOf(const net::HttpHead& head, std::string_view name)
{
    const std::string* const found = head.find(name);
    return found == nullptr ? std::string() : *found;
}

net::HttpAnswer failure(int status, const std::string& why)
{
    return net::jsonAnswer(status, Value::map({ { "code", status }, { "message", why } }),
                           status == 429 || status == 503 ? "Should-Retry: false\r\n" : "");
}

int statusOf(Errc code)
{
    switch (code) {
    case Errc::InvalidArgument: return 400;
    case Errc::NotFound: return 404;
    case Errc::Exists:
    case Errc::Conflict: return 409;
    case Errc::PermissionDenied: return 403;
    case Errc::LimitExceeded: return 429;
    case Errc::NoSpace: return 507;
    case Errc::Unsupported: return 501;
    case Errc::Unavailable:
    case Errc::Busy: return 503;
    case Errc::Timeout:
    case Errc::Cancelled:
    case Errc::Corrupt:
    case Errc::Io: break;
    }
    return 500;
}

Result<Value> readObject(net::HttpExchange& exchange)
{
    auto body = exchange.readAll(kMostMessage);
    if (!body) {
        exchange.answer(failure(body.error().code == Errc::LimitExceeded ? 413 : 400, body.error().message));
        return std::move(body.error());
    }
    if (body->empty())
        return Value(ValueMap{});
    auto value = parseJson(*body);
    if (value && value->isMap())
        return value;
    Error why{ Errc::InvalidArgument, value ? "the body is no JSON object" : value.error().message };
    exchange.answer(failure(400, why.message));
    return why;
}

void rpcFailure(net::HttpExchange& exchange, const Error& error)
{
    const RpcCode code = rpcCodeOf(error.code);
    exchange.answer(
        net::jsonAnswer(code.status, Value::map({ { "code", code.name }, { "message", error.message } })));
}

void rpcAnswer(net::HttpExchange& exchange, const Value& message)
{
    exchange.answer(net::jsonAnswer(200, message));
}

Result<Value> RpcStream::read()
{
    while (true) {
        auto message = m_in.next();
        if (!message)
            return Error{ Errc::InvalidArgument, message.error().message };
        if (*message)
            return std::move((*message)->value);
        auto more = m_exchange.read();
        if (!more)
            return std::move(more.error());
        if (more->empty()) {
            if (!m_in.isEmpty())
                return Error{ Errc::InvalidArgument, "the last message is not whole" };
            return Value();
        }
        m_in.add(*more);
    }
}

void RpcStream::begin()
{
    if (!m_exchange.hasBegun())
        m_exchange.begin(200, "Content-Type: application/connect+json\r\nCache-Control: no-store\r\n");
}

Result<void> RpcStream::send(const Value& message)
{
    begin();
    return m_exchange.write(net::rpcEnvelope(0, toJson(message)));
}

void RpcStream::end(const Error* error)
{
    begin();
    Value last{ ValueMap{} };
    if (error != nullptr)
        last = Value::map(
            { { "error",
                Value::map({ { "code", rpcCodeOf(error->code).name }, { "message", error->message } }) } });
    (void)m_exchange.write(net::rpcEnvelope(net::kEnvelopeEnd, toJson(last)));
}

} // namespace sg::servers::e2b
