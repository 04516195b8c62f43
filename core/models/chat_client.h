#pragma once

#include "core/base/clock.h"
#include "core/models/base_url.h"
#include "core/models/chat_reply.h"
#include "core/models/chat_request.h"
#include "core/models/endpoint_breaker.h"
#include "core/models/recording.h"
#include "core/models/reply_fold.h"
#include "core/net/http_client.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace sg::models {

// The address of a model, and how it is asked.
struct Endpoint {
    enum class Auth { None, Bearer, ApiKey };

    Wire wire = Wire::OpenAi;
    BaseUrl base;
    Auth auth = Auth::Bearer;
    std::string version = "2023-06-01"; // of Anthropic's wire
    std::filesystem::path authorities; // of TLS, see HttpRequest
    std::chrono::milliseconds connectTimeout{ 10'000 };
    std::chrono::milliseconds timeout{ 600'000 }; // of one try
    std::chrono::milliseconds idle{ 120'000 }; // without a byte
    int retries = 2; // after the first try
};

// The time when a call has to be over, with all of its tries and the pauses between them.
struct CallDeadline {
    SteadyTime at;
    std::string whose; // "the run's": whose time is used up then
    bool isOfTask = false; // by the node's "timeout_s", else by a budget
};

struct ChatCall {
    const Endpoint& endpoint;
    const ChatRequest& request;
    std::string key; // empty: none is sent
    ChunkSink onChunk; // of a stream; may be empty
    std::function<void(const std::string& line)> note; // about tries that failed; may be empty
    std::stop_token stop;
    Recording* recording = nullptr; // replays or records; null: neither
    std::optional<CallDeadline> deadline = std::nullopt;
    std::string effect{}; // what this call is, for servers that recognise a repeated one; may be empty
};

class ChunkFilter;

// Asks chat models over HTTP: one answer a call, tried again where that may help. Nothing is asked but the
// endpoint's own host and port. Any thread, several calls at once.
class ChatClient {
public:
    ChatClient(const Clock& clock, Random& random);

    // The reply's message has an id, as has each of its calls. After a stop the fault's type is
    // "CancelledError".
    ChatOutcome ask(const ChatCall& call);

private:
    struct Exchange;
    ChatOutcome once(const ChatCall& call, const ChatRequest& request, const std::string& url,
                     const std::string& id);
    ChatOutcome exchanged(const ChatCall& call, const ChatRequest& request, const std::string& url,
                          ChunkFilter* chunks);
    [[nodiscard]] net::HttpRequest httpRequest(const ChatCall& call, const ChatRequest& request,
                                               const std::string& url) const;
    ChatOutcome tryOnce(const ChatCall& call, const ChatRequest& request, const std::string& id);
    void complete(const ChatCall& call, const std::string& id, ChatReply& reply);
    ChatOutcome replayed(const ChatCall& call, const ChatRequest& request, const std::string& id);
    bool waits(std::chrono::milliseconds time, const std::stop_token& stop) const; // false: stopped

    const Clock& m_clock;
    Random& m_random;
    net::HttpClient m_http;
    EndpointBreaker m_breaker;
};

} // namespace sg::models
