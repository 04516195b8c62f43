#include "core/servers/mcp/http_service.h"

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/base/hmac.h"
#include "core/base/json.h"
#include "core/base/random_bytes.h"
#include "core/net/host_check.h"
#include "core/servers/mcp/connection.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace sg::servers {
namespace {

using mcp::RpcMessage;
using net::HttpExchange;
using Kind = RpcMessage::Kind;
using std::chrono::steady_clock;

constexpr std::size_t kMostSessions = 1000; // the one that was idle longest makes room
constexpr std::chrono::hours kIdleSession{ 12 };
constexpr std::chrono::seconds kPing{ 15 }; // of silence, after which proxies and clients begin to doubt

std::string newId()
{
    std::array<char, 16> chance{};
    fillRandomBytes(chance.data(), chance.size());
    return toHex({ chance.data(), chance.size() });
}

std::string headerOf(const net::HttpHead& head, std::string_view name)
{
    const std::string* const found = head.find(name);
    return found == nullptr ? std::string() : *found;
}

void refuse(HttpExchange& exchange, int status, std::int64_t code, const std::string& why, Value id = {},
            Value data = {})
{
    const Value said =
        *parseJson(mcp::messageText(mcp::rpcFailure(std::move(id), code, why, std::move(data))));
    exchange.answer(net::jsonAnswer(status, said));
}

// A name as a header has it: plain ASCII, else =?base64?…?=.
bool isSameName(const std::string& header, const std::string& name)
{
    return header == name || header == "=?base64?" + toBase64(name) + "?=";
}

// The answer to one request: one JSON text if that is all, else a stream of events. Any thread.
class Reply {
public:
    Reply(HttpExchange& exchange, std::string headers, bool isModern)
        : m_exchange(exchange)
        , m_headers(std::move(headers))
        , m_isModern(isModern)
    {
    }
    // Waits for a client that reads slowly, but not with its progress, which comes from places that others
    // wait for: what finds no room is dropped.
    void send(const RpcMessage& message)
    {
        const bool mayBeDropped = message.method == "notifications/progress";
        std::unique_lock lock(m_mutex, std::defer_lock);
        if (!mayBeDropped)
            lock.lock();
        else if (!lock.try_lock() || !m_exchange.canWrite())
            return;
        if (m_isOver)
            return;
        const bool isLast = message.kind == Kind::Answer || message.kind == Kind::Failure;
        if (isLast && !m_isStream) {
            m_isOver = true;
            const bool isUnknown = message.kind == Kind::Failure && message.code == mcp::rpc_code::kNoMethod;
            auto answer = net::jsonAnswer(m_isModern && isUnknown ? 404 : 200, {}, m_headers);
            answer.body = std::make_shared<const std::string>(mcp::messageText(message));
            m_exchange.answer(std::move(answer));
            return;
        }
        stream();
        (void)m_exchange.write("event: message\ndata: " + mcp::messageText(message) + "\n\n");
        m_isOver = isLast;
        m_last = steady_clock::now();
    }
    // Never waits: one thread keeps all clients awake.
    void ping()
    {
        const std::unique_lock lock(m_mutex, std::try_to_lock);
        if (!lock || m_isOver || steady_clock::now() - m_last < kPing || !m_exchange.canWrite())
            return;
        stream();
        (void)m_exchange.write(": still here\n\n");
        m_last = steady_clock::now();
    }
    // A cancelled request gets no answer, but its stream ends.
    void finish()
    {
        const std::lock_guard lock(m_mutex);
        if (!m_isOver)
            stream();
        m_isOver = true;
    }
    void open()
    {
        const std::lock_guard lock(m_mutex);
        stream();
    }

private:
    void stream()
    {
        if (std::exchange(m_isStream, true))
            return;
        m_exchange.begin(200,
                         "Content-Type: text/event-stream\r\nCache-Control: no-store\r\n"
                         "X-Accel-Buffering: no\r\n"
                             + m_headers);
    }

    HttpExchange& m_exchange;
    const std::string m_headers;
    const bool m_isModern;
    std::mutex m_mutex;
    bool m_isStream = false;
    bool m_isOver = false;
    SteadyTime m_last = steady_clock::now();
};

class Service final : public McpHttpService {
public:
    Service(Offering& offering, std::string version, const McpHttpOptions& options)
        : m_offering(offering)
        , m_version(std::move(version))
        , m_options(options)
        , m_pings([this](const std::stop_token& stop) { keepAwake(stop); })
    {
    }
    Result<void> listen()
    {
        net::HttpServer::Service service;
        service.quick = [this](const net::HttpHead& head) { return refusal(head); };
        service.exchange = [this](HttpExchange& exchange) { answer(exchange); };
        auto started = net::HttpServer::start(m_options.http, std::move(service));
        if (!started)
            return std::move(started.error());
        m_http = std::move(*started);
        m_port = m_http->port();
        return {};
    }
    [[nodiscard]] std::uint16_t port() const override { return m_http->port(); }

private:
    struct Session {
        Session(Offering& offering, const std::string& version, const std::string& thread)
            : connection(offering, version, thread)
        {
        }
        McpConnection connection;
        std::stop_source ends;
        // Guarded by the service's mutex:
        SteadyTime used = steady_clock::now();
        int running = 0; // exchanges
    };
    using SessionPtr = std::shared_ptr<Session>;

    std::optional<net::HttpAnswer> refusal(const net::HttpHead& head) const;
    void answer(HttpExchange& exchange);
    void post(HttpExchange& exchange);
    void takeModern(HttpExchange& exchange, const RpcMessage& message);
    void takeHandshake(HttpExchange& exchange, const RpcMessage& message);
    void listenTo(HttpExchange& exchange);
    void take(HttpExchange& exchange, McpConnection& connection, const RpcMessage& message, Reply& reply,
              const std::stop_token& ends);
    SessionPtr sessionFor(HttpExchange& exchange);
    // Empty: there are too many, and each has something running.
    std::string add(const SessionPtr& session);
    SessionPtr inUse(const SessionPtr& session);
    void keepAwake(const std::stop_token& stop);

    Offering& m_offering;
    const std::string m_version;
    const McpHttpOptions m_options;
    std::atomic<std::uint16_t> m_port = 0;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::map<std::string, SessionPtr> m_sessions; // guarded by m_mutex
    std::mutex m_repliesMutex;
    std::set<Reply*> m_replies; // guarded by m_repliesMutex
    std::jthread m_pings;
    std::unique_ptr<net::HttpServer> m_http; // last, so that its threads end before what they use
};

std::optional<net::HttpAnswer> Service::refusal(const net::HttpHead& head) const
{
    switch (net::checkHost(head, m_port, m_options.hosts)) {
    case net::HostVerdict::ForeignHost: return net::textAnswer(421, "Invalid Host header\n");
    case net::HostVerdict::ForeignOrigin: return net::textAnswer(403, "Invalid Origin header\n");
    case net::HostVerdict::Fine: break;
    }
    if (net::pathOf(head.target) != "/mcp")
        return net::textAnswer(404, "There is nothing here; the endpoint is /mcp.\n");
    if (!m_options.token.empty()
        && !isSameSecretly(headerOf(head, "authorization"), "Bearer " + m_options.token))
        return net::textAnswer(401, "This server is used with its token.\n", "WWW-Authenticate: Bearer\r\n");
    const bool isModern = headerOf(head, "mcp-protocol-version") == mcp::kModernVersion;
    if (head.method == "POST" || (!isModern && (head.method == "GET" || head.method == "DELETE")))
        return std::nullopt;
    return net::textAnswer(405, "That is not answered here.\n",
                           isModern ? "Allow: POST\r\n" : "Allow: GET, POST, DELETE\r\n");
}

void Service::answer(HttpExchange& exchange)
{
    if (exchange.head().method == "POST")
        return post(exchange);
    if (exchange.head().method == "GET")
        return listenTo(exchange);
    const SessionPtr session = sessionFor(exchange);
    if (!session)
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_sessions.erase(headerOf(exchange.head(), "mcp-session-id"));
    }
    session->ends.request_stop();
    exchange.answer(net::textAnswer(200, {}));
}

void Service::post(HttpExchange& exchange)
{
    const net::HttpHead& head = exchange.head();
    const std::string accept = headerOf(head, "accept");
    const bool takesAll = accept.find("*/*") != std::string::npos;
    if (!takesAll
        && (accept.find("application/json") == std::string::npos
            || accept.find("text/event-stream") == std::string::npos))
        return refuse(exchange, 406, mcp::rpc_code::kInvalidRequest,
                      "Not Acceptable: Client must accept both application/json and text/event-stream");
    if (!headerOf(head, "content-type").starts_with("application/json"))
        return exchange.answer(net::textAnswer(400, "Invalid Content-Type header: it is application/json\n"));
    auto body = exchange.readAll(mcp::kMostMessage);
    if (!body)
        return refuse(exchange, body.error().code == Errc::LimitExceeded ? 413 : 400,
                      mcp::rpc_code::kInvalidRequest, body.error().message);
    const auto json = parseJson(*body);
    if (!json)
        return refuse(exchange, 400, mcp::rpc_code::kParse, "Parse error: " + json.error().message);
    const auto message = mcp::parseMessage(*body);
    if (!message)
        return refuse(exchange, 400, mcp::rpc_code::kInvalidParams,
                      "Invalid message: " + message.error().message);
    const std::string version = headerOf(head, "mcp-protocol-version");
    if (version == mcp::kModernVersion)
        return takeModern(exchange, *message);
    if (!version.empty() && !mcp::isHandshakeVersion(version))
        return refuse(
            exchange, 400, mcp::rpc_code::kVersion, "Unsupported protocol version", message->id,
            Value::map(
                { { "supported", Value::list({ Value(mcp::kModernVersion), Value(mcp::kHandshakeVersion) }) },
                  { "requested", version } }));
    takeHandshake(exchange, *message);
}

void Service::takeModern(HttpExchange& exchange, const RpcMessage& message)
{
    const net::HttpHead& head = exchange.head();
    if (headerOf(head, "mcp-method") != message.method)
        return refuse(exchange, 400, mcp::rpc_code::kHeaderMismatch,
                      "mcp-method header does not match the request body's method", message.id);
    const std::string key = message.method == "resources/read" ? "uri" : "name";
    const bool isNamed = message.method == "tools/call" || message.method == "resources/read"
        || message.method == "prompts/get";
    if (isNamed && !isSameName(headerOf(head, "mcp-name"), message.content.stringOr(key, "")))
        return refuse(exchange, 400, mcp::rpc_code::kHeaderMismatch,
                      "mcp-name header does not match the request body's " + key, message.id);
    if (message.kind != Kind::Request)
        return exchange.answer(net::textAnswer(202, {}));
    // Nothing in a request tells one client from another of the same name, and what one keeps is not for the
    // other: a call that names no thread gets a new one, which its result tells.
    McpConnection connection(m_offering, m_version, {});
    Reply reply(exchange, {}, true);
    take(exchange, connection, message, reply, {});
}

void Service::takeHandshake(HttpExchange& exchange, const RpcMessage& message)
{
    SessionPtr session;
    std::string headers;
    if (message.kind == Kind::Request && message.method == "initialize") {
        session = std::make_shared<Session>(m_offering, m_version, "mcp-" + newId().substr(0, 12));
        const std::string id = add(session);
        if (id.empty())
            return refuse(exchange, 503, mcp::rpc_code::kInternal,
                          "All of the " + std::to_string(kMostSessions)
                              + " sessions have a request running; try again later",
                          message.id);
        headers = "Mcp-Session-Id: " + id + "\r\n";
    } else if (message.kind == Kind::Request && message.method == "server/discover"
               && exchange.head().find("mcp-session-id") == nullptr) {
        return refuse(exchange, 400, mcp::rpc_code::kNoMethod, "Method not found", message.id,
                      message.method);
    } else {
        session = sessionFor(exchange);
        if (!session)
            return;
    }
    if (message.kind != Kind::Request) {
        session->connection.take(message, [](const RpcMessage&) {}, {});
        return exchange.answer(net::textAnswer(202, {}));
    }
    Reply reply(exchange, headers, false);
    take(exchange, session->connection, message, reply, session->ends.get_token());
}

void Service::take(HttpExchange& exchange, McpConnection& connection, const RpcMessage& message, Reply& reply,
                   const std::stop_token& ends)
{
    std::stop_source stop;
    const std::stop_callback onGone(exchange.gone(), [&stop] { stop.request_stop(); });
    const std::stop_callback onEnd(ends, [&stop] { stop.request_stop(); });
    {
        const std::lock_guard lock(m_repliesMutex);
        m_replies.insert(&reply);
    }
    connection.take(
        message, [&reply](const RpcMessage& said) { reply.send(said); }, stop.get_token());
    {
        const std::lock_guard lock(m_repliesMutex);
        m_replies.erase(&reply);
    }
    reply.finish();
}

// The stream for what the server says of itself: nothing that is offered changes, so it only stays open.
void Service::listenTo(HttpExchange& exchange)
{
    const SessionPtr session = sessionFor(exchange);
    if (!session)
        return;
    Reply reply(exchange, {}, false);
    reply.open();
    {
        const std::lock_guard lock(m_repliesMutex);
        m_replies.insert(&reply);
    }
    {
        const std::stop_callback onGone(exchange.gone(), [this] {
            const std::lock_guard lock(m_mutex); // else it may come between the look below and the wait
            m_changed.notify_all();
        });
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, session->ends.get_token(), [&] { return exchange.gone().stop_requested(); });
    }
    const std::lock_guard lock(m_repliesMutex);
    m_replies.erase(&reply);
}

// Null: the exchange has been answered.
Service::SessionPtr Service::sessionFor(HttpExchange& exchange)
{
    const std::string id = headerOf(exchange.head(), "mcp-session-id");
    if (id.empty()) {
        refuse(exchange, 400, mcp::rpc_code::kInvalidRequest, "Bad Request: Missing session ID");
        return nullptr;
    }
    {
        const std::lock_guard lock(m_mutex);
        if (const auto found = m_sessions.find(id); found != m_sessions.end())
            return inUse(found->second);
    }
    refuse(exchange, 404, mcp::rpc_code::kInvalidRequest, "Session not found");
    return nullptr;
}

// Called with m_mutex held. A session stays as long as what is returned does, which ends without the mutex.
Service::SessionPtr Service::inUse(const SessionPtr& session)
{
    ++session->running;
    return { session.get(), [this, session](Session*) {
                const std::lock_guard lock(m_mutex);
                --session->running;
                session->used = steady_clock::now();
            } };
}

std::string Service::add(const SessionPtr& session)
{
    const std::string id = newId();
    const std::lock_guard lock(m_mutex);
    const SteadyTime oldest = steady_clock::now() - kIdleSession;
    std::erase_if(m_sessions,
                  [&](const auto& each) { return each.second->running == 0 && each.second->used < oldest; });
    if (m_sessions.size() >= kMostSessions) {
        const auto rank = [](const auto& each) {
            return std::pair(each.second->running > 0, each.second->used);
        };
        const auto idle = std::ranges::min_element(m_sessions, {}, rank);
        if (idle->second->running > 0)
            return {};
        m_sessions.erase(idle);
    }
    m_sessions.emplace(id, session);
    return id;
}

void Service::keepAwake(const std::stop_token& stop)
{
    std::mutex mutex;
    std::condition_variable_any ended;
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, stop, std::chrono::seconds(1), [&] { return stop.stop_requested(); })) {
        const std::lock_guard replies(m_repliesMutex);
        for (Reply* const each : m_replies)
            each->ping();
    }
}

} // namespace

Result<std::unique_ptr<McpHttpService>> McpHttpService::start(Offering& offering, const std::string& version,
                                                              const McpHttpOptions& options)
{
    auto service = std::make_unique<Service>(offering, version, options);
    if (auto listening = service->listen(); !listening)
        return std::move(listening.error());
    return std::unique_ptr<McpHttpService>(std::move(service));
}

} // namespace sg::servers
