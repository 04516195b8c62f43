#include "core/mcp/http_wire.h"

#include "core/base/hash.h"
#include "core/base/printable.h"
#include "core/net/http_client.h"
#include "core/net/sse_parser.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

namespace sg::mcp {
namespace {

using Kind = RpcMessage::Kind;

constexpr std::chrono::milliseconds kConnectTime{ 10'000 };
constexpr std::chrono::milliseconds kTellTime{ 10'000 };
constexpr std::chrono::milliseconds kResumeTime{ 1000 }; // before a stream is asked for again
constexpr int kMostResumes = 3; // in a row, without an event between
constexpr std::size_t kMostShown = 300; // of a server's own words in an error

std::string shown(std::string_view body)
{
    std::string text = printableText(body.substr(0, kMostShown));
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    return text;
}

bool isHeaderText(const std::string& text)
{
    return text.size() <= 1024
        && std::ranges::all_of(text, [](char letter) { return letter > 0x20 && letter < 0x7f; });
}

// False: stopped.
bool waited(std::chrono::milliseconds time, const std::stop_token& stop)
{
    std::mutex mutex;
    std::condition_variable_any ended;
    std::unique_lock lock(mutex);
    ended.wait_for(lock, stop, time, [&stop] { return stop.stop_requested(); });
    return !stop.stop_requested();
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
            auto sent = m_wire.m_http.send(request);
            if (mayResume(sent))
                sent = resumed(sent);
            if (m_answer)
                return std::move(*m_answer);
            if (m_error)
                return std::move(*m_error);
            if (!sent)
                return failure(sent.error());
            return whole();
        }

    private:
        static bool isDrop(const Error& error)
        {
            return error.code == Errc::Unavailable || error.code == Errc::Io;
        }

        // A server of the handshake era that numbers its events keeps those that a client has not seen, and
        // may itself end a stream before the answer.
        bool mayResume(const Result<net::HttpResponse>& sent)
        {
            return (sent || isDrop(sent.error())) && !m_answer && !m_error && m_isStream && m_status == 200
                && !m_parser.lastId().empty() && isHeaderText(m_parser.lastId())
                && isHandshakeVersion(m_wire.state().version);
        }

        // Asks for the rest of the stream until the answer is there, time is over, or nothing more comes.
        Result<net::HttpResponse> resumed(Result<net::HttpResponse> sent)
        {
            for (int tried = 1; mayResume(sent) && tried <= kMostResumes; ++tried) {
                const auto pause = m_parser.retry().value_or(kResumeTime);
                const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
                    m_deadline - std::chrono::steady_clock::now());
                if (pause >= left)
                    return Error{ Errc::Timeout, "the rest of the stream comes too late" };
                if (!waited(pause, m_ask.stop))
                    return Error{ Errc::Cancelled, "stopped" };
                const std::string last = m_parser.lastId();
                sent = m_wire.m_http.send(restAfter(last, left - pause));
                if (m_hasNew)
                    tried = 0;
                m_hasNew = false;
                if (m_restStatus >= 400)
                    return sent;
            }
            return sent;
        }

        net::HttpRequest restAfter(const std::string& last, std::chrono::milliseconds timeout)
        {
            net::HttpRequest request = m_wire.requestTo("GET", nullptr);
            request.headers.emplace_back("Last-Event-ID", last);
            request.timeout = timeout;
            request.stop = m_ask.stop;
            m_restStatus = 0;
            m_parser.begin(last);
            request.onHead = [this](const net::HttpResponse& head) {
                m_restStatus = head.status;
                m_isRest = head.status == 200 && head.header("content-type").starts_with("text/event-stream");
                return true;
            };
            request.onBody = [this, last](int, std::string_view piece) {
                const bool goesOn = !m_isRest || take(piece);
                m_hasNew = m_hasNew || m_parser.lastId() != last;
                return goesOn;
            };
            return request;
        }

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
            if (m_isStream && isDrop(error))
                return { error.code, error.message + afterEnd() };
            return error;
        }

        Result<RpcMessage> whole()
        {
            if (m_isStream && m_status == 200)
                return Error{ Errc::Unavailable, "the server's stream ended without an answer" + afterEnd() };
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

        // The call itself is not made again: nobody knows whether it has had its effect.
        [[nodiscard]] std::string afterEnd() const
        {
            const std::string rest = m_restStatus >= 400
                ? ", and it does not give the rest (HTTP " + std::to_string(m_restStatus) + ")"
                : m_restStatus != 0 ? ", and the rest did not come, either"
                                    : std::string();
            return rest + "; " + m_ask.method
                + " may have had its effect: look at what it was to change before it is asked for again";
        }

        HttpWire& m_wire;
        const Ask& m_ask;
        const std::int64_t m_id;
        const std::chrono::steady_clock::time_point m_deadline =
            std::chrono::steady_clock::now() + m_ask.timeout;
        net::SseParser m_parser;
        int m_restStatus = 0; // of the newest request for the rest; 0: there was none
        bool m_isRest = false; // it is answered by a stream
        bool m_hasNew = false; // it brought an event
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
        const std::lock_guard lock(m_mutex);
        m_state.session = isHeaderText(session) ? session : std::string();
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
