#include "core/servers/e2b/wire.h"

#include "core/base/json.h"

#include <array>

namespace sg::servers::e2b {
namespace {

constexpr std::size_t kMostMessage = 16U << 20;
constexpr std::uint8_t kEnd = 2;

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

std::string envelope(std::uint8_t flags, const std::string& text)
{
    std::string made(1, static_cast<char>(flags));
    for (const int shift : { 24, 16, 8, 0 })
        made += static_cast<char>((text.size() >> shift) & 0xff);
    return made + text;
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
        if (m_in.size() >= 5) {
            std::size_t size = 0;
            for (std::size_t i = 1; i < 5; ++i)
                size = size << 8 | static_cast<unsigned char>(m_in[i]);
            if (size > kMostMessage || (m_in[0] & 1) != 0)
                return Error{ Errc::InvalidArgument, "a message is too long, or compressed" };
            if (m_in.size() - 5 >= size) {
                auto value = parseJson(std::string_view(m_in).substr(5, size));
                m_in.erase(0, 5 + size);
                if (value && !value->isMap())
                    return Error{ Errc::InvalidArgument, "a message is no JSON object" };
                return value;
            }
        }
        auto more = m_exchange.read();
        if (!more)
            return std::move(more.error());
        if (more->empty()) {
            if (!m_in.empty())
                return Error{ Errc::InvalidArgument, "the last message is not whole" };
            return Value();
        }
        m_in += *more;
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
    return m_exchange.write(envelope(0, toJson(message)));
}

void RpcStream::end(const Error* error)
{
    begin();
    Value last{ ValueMap{} };
    if (error != nullptr)
        last = Value::map(
            { { "error",
                Value::map({ { "code", rpcCodeOf(error->code).name }, { "message", error->message } }) } });
    (void)m_exchange.write(envelope(kEnd, toJson(last)));
}

std::string fromBase64(std::string_view text)
{
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char each : text) {
        if (each == '=')
            break;
        const int value = each >= 'A' && each <= 'Z' ? each - 'A'
            : each >= 'a' && each <= 'z'             ? each - 'a' + 26
            : each >= '0' && each <= '9'             ? each - '0' + 52
            : each == '+' || each == '-'             ? 62
            : each == '/' || each == '_'             ? 63
                                                     : -1;
        if (value < 0)
            return {};
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += static_cast<char>((bits >> count) & 0xff);
        }
    }
    return bytes;
}

} // namespace sg::servers::e2b
