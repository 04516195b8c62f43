#include "core/mcp/http_wire.h"

#include "core/base/hash.h"
#include "core/base/printable.h"
#include "core/net/http_client.h"
#include "core/net/sse_parser.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

namespace sg::mcp {
namespace {

using Kind = RpcMessage::Kind;

constexpr std::chrono::milliseconds kConnectTime{ 10'000 };
constexpr std::chrono::milliseconds kTellTime{ 10'000 };
constexpr std::size_t kMostShown = 300; // of a server's own words in an error

std::string shown(std::string_view body)
{
    std::string text = printableText(body.substr(0, kMostShown));
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    return text;
}

class HttpWire final : public Wire {
public:
    explicit HttpWire(HttpPlace place)
        : m_place(std::move(place))
    {
    }

    ~HttpWire() override
    {
        const std::string session = state().session;
        if (session.empty())
            return;
        net::HttpRequest request = requestTo("DELETE", {});
        request.timeout = std::chrono::milliseconds(2000);
        static_cast<void>(m_http.send(request)); // a server may keep it, or be gone
    }

    Result<RpcMessage> ask(const Ask& ask) override
    {
        const std::int64_t id = m_nextId++;
        auto answer = Exchange(*this, ask, id).run();
        // A modern server sees that the connection is closed; an older one has to be told.
        if (!answer && (answer.error().code == Errc::Timeout || answer.error().code == Errc::Cancelled)
            && isHandshakeVersion(state().version) && ask.method != "initialize"
            && ask.method != "server/discover")
            static_cast<void>(
                tell(rpcNotice("notifications/cancelled",
                               Value::map({ { "requestId", id }, { "reason", answer.error().message } }))));
        return answer;
    }

    Result<void> tell(const RpcMessage& notice) override
    {
        if (state().version == kModernVersion)
            return {}; // there are no notices of a client
        net::HttpRequest request = requestTo("POST", {});
        request.timeout = kTellTime;
        request.body = messageText(notice);
        const auto answer = m_http.send(request);
        if (!answer)
            return answer.error();
        return answer->status < 300 ? Result<void>()
                                    : Result<void>(statusError(answer->status, answer->body));
    }

    void settle(const std::string& version) override
    {
        const std::lock_guard lock(m_mutex);
        m_state.version = version;
        if (version.empty()) // it begins anew
            m_state.session.clear();
    }

private:
    struct State {
        std::string version; // empty: not known yet
        std::string session;
    };

    // One request and what comes in answer to it.
    class Exchange {
    public:
        Exchange(HttpWire& wire, const Ask& ask, std::int64_t id)
            : m_wire(wire)
            , m_ask(ask)
            , m_id(id)
            , m_parser({ kMostMessage, kMostMessage })
        {
        }

        Result<RpcMessage> run()
        {
            net::HttpRequest request = m_wire.requestTo("POST", &m_ask);
            request.body = messageText(rpcRequest(m_id, m_ask.method, paramsOf(m_ask, m_id)));
            request.timeout = m_ask.timeout;
            request.stop = m_ask.stop;
            request.onHead = [this](const net::HttpResponse& head) {
                m_status = head.status;
                const std::string type = head.header("content-type");
                m_isStream = type.starts_with("text/event-stream");
                if (m_ask.method == "initialize" && m_status == 200)
                    m_wire.takeSession(head.header("mcp-session-id"));
                return true;
            };
            request.onBody = [this](int, std::string_view piece) { return take(piece); };
            const auto sent = m_wire.m_http.send(request);
            if (m_answer)
                return std::move(*m_answer);
            if (m_error)
                return std::move(*m_error);
            if (!sent)
                return failure(sent.error());
            return whole();
        }

    private:
        bool take(std::string_view piece)
        {
            if (m_isStream && m_status == 200) {
                auto pushed = m_parser.push(piece, [this](const net::SseEvent& event) {
                    if (!event.name.empty() && event.name != "message")
                        return true;
                    return event.data.empty() || takeMessage(event.data);
                });
                if (!pushed && pushed.error().code != Errc::Cancelled)
                    m_error = std::move(pushed.error());
                return pushed ? true : false;
            }
            if (m_body.size() + piece.size() > kMostMessage) {
                m_error = Error{ Errc::LimitExceeded, "the server's answer has more than 64 MiB" };
                return false;
            }
            m_body += piece;
            return true;
        }

        // False: the answer is there.
        bool takeMessage(std::string_view text)
        {
            auto message = parseMessage(text);
            if (!message)
                return true; // some servers send other things between
            switch (message->kind) {
            case Kind::Answer:
            case Kind::Failure:
                if (message->id != Value(m_id) && message->id != Value(std::to_string(m_id)))
                    return true;
                m_answer = std::move(*message);
                return false;
            case Kind::Notification:
                if (m_ask.onNotice)
                    m_ask.onNotice(*message);
                return true;
            case Kind::Request:
                static_cast<void>(m_wire.tell( // the server will miss an answer that did not arrive
                    m_ask.onRequest
                        ? m_ask.onRequest(*message)
                        : rpcFailure(message->id, rpc_code::kNoMethod, "nothing here answers it")));
                return true;
            }
            return true;
        }

        Error failure(const Error& error) const
        {
            if (error.code == Errc::Cancelled)
                return { Errc::Cancelled, "the call was stopped" };
            if (error.code == Errc::Timeout)
                return { Errc::Timeout,
                         "the server has not answered " + m_ask.method + " in "
                             + std::to_string(m_ask.timeout.count() / 1000) + " s" };
            return error;
        }

        Result<RpcMessage> whole()
        {
            if (m_isStream && m_status == 200)
                return Error{ Errc::Unavailable, "the server's stream ended without an answer" };
            auto message = parseMessage(m_body);
            const bool hasSession = !m_wire.state().session.empty();
            if (m_status == 404 && hasSession) {
                m_wire.takeSession({});
                return Error{ Errc::NotFound, "the server has forgotten this session" };
            }
            if (message && (message->kind == Kind::Answer || message->kind == Kind::Failure))
                return std::move(*message);
            // An older server does not know the first question, and says so in its own way.
            if (m_status >= 400 && m_status < 500 && m_status != 401 && m_status != 403 && m_status != 429)
                return rpcFailure(m_id, rpc_code::kInvalidRequest,
                                  "HTTP " + std::to_string(m_status) + ": " + shown(m_body));
            if (m_status == 200)
                return Error{ Errc::InvalidArgument, "the server's answer is no message: " + shown(m_body) };
            return statusError(m_status, m_body);
        }

        HttpWire& m_wire;
        const Ask& m_ask;
        const std::int64_t m_id;
        net::SseParser m_parser;
        int m_status = 0;
        bool m_isStream = false;
        std::string m_body;
        std::optional<RpcMessage> m_answer;
        std::optional<Error> m_error;
    };

    static Error statusError(int status, std::string_view body)
    {
        const std::string said = body.empty() ? std::string() : ": " + shown(body);
        if (status == 401 || status == 403)
            return { Errc::PermissionDenied,
                     "the server refuses the request (HTTP " + std::to_string(status) + ")" + said
                         + ". Name the secret with its token in \"secret\", and {secret} in \"headers\"" };
        if (status >= 300 && status < 400)
            return { Errc::PermissionDenied,
                     "the server sends elsewhere (HTTP " + std::to_string(status)
                         + "), which is not followed: name the right address in \"url\"" };
        return { Errc::Unavailable, "the server answers HTTP " + std::to_string(status) + said };
    }

    net::HttpRequest requestTo(const std::string& method, const Ask* ask)
    {
        net::HttpRequest request;
        request.method = method;
        request.url = m_place.url;
        request.connectTimeout = kConnectTime;
        request.authorities = m_place.authorities;
        request.bodyLimit = kMostMessage;
        request.headers = m_place.headers;
        const auto add = [&](const char* name, std::string value) {
            request.headers.emplace_back(name, std::move(value));
        };
        add("Content-Type", "application/json");
        add("Accept", "application/json, text/event-stream");
        const State now = state();
        if (!now.version.empty())
            add("MCP-Protocol-Version", now.version);
        if (!now.session.empty())
            add("Mcp-Session-Id", now.session);
        if (ask != nullptr && now.version == kModernVersion) {
            add("Mcp-Method", ask->method);
            if (!ask->name.empty())
                add("Mcp-Name", headerText(ask->name));
        }
        return request;
    }

    State state()
    {
        const std::lock_guard lock(m_mutex);
        return m_state;
    }

    // A session that no header can hold is none.
    void takeSession(const std::string& session)
    {
        const bool isPlain = session.size() <= 1024
            && std::ranges::all_of(session, [](char letter) { return letter > 0x20 && letter < 0x7f; });
        const std::lock_guard lock(m_mutex);
        m_state.session = isPlain ? session : std::string();
    }

    const HttpPlace m_place;
    net::HttpClient m_http;
    std::atomic<std::int64_t> m_nextId = 1;
    std::mutex m_mutex;
    State m_state; // guarded by m_mutex
};

} // namespace

std::unique_ptr<Wire> makeHttpWire(HttpPlace place)
{
    return std::make_unique<HttpWire>(std::move(place));
}

std::string headerText(const std::string& text)
{
    const bool isPlain = !text.empty() && text.front() != ' ' && text.back() != ' ' && !text.starts_with("=?")
        && std::ranges::all_of(text, [](char letter) { return letter >= 0x20 && letter < 0x7f; });
    return isPlain ? text : "=?base64?" + toBase64(text) + "?=";
}

} // namespace sg::mcp
