#include "core/models/chat_client.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/redaction.h"
#include "core/base/utf8.h"
#include "core/base/uuid.h"
#include "core/models/chat_fault.h"
#include "core/models/chunk_filter.h"
#include "core/models/token_estimate.h"
#include "core/models/tool_arguments.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>
#include <utility>

namespace sg::models {
namespace {

constexpr int kMostRedirects = 5;
constexpr std::size_t kMostErrorBody = 1U << 20;
constexpr std::size_t kMostStream = 256U << 20; // bytes of one, whatever it says

std::string hexText(std::uint64_t bits)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (int i = 0; i < 12; ++i, bits >>= 4U)
        text += kDigits[bits & 15U];
    return text;
}

ChatFault cancelled()
{
    return { "CancelledError", "the run was stopped; the connection to the model is closed", false,
             std::nullopt };
}

bool isStream(const net::HttpResponse& head)
{
    return head.header("content-type").starts_with("text/event-stream");
}

bool isJson(const net::HttpResponse& head)
{
    const std::string type = head.header("content-type");
    return type.empty() || type.starts_with("application/json") || type.find("+json") != std::string::npos;
}

TokenUse estimated(const ChatRequest& request, const ChatReply& reply)
{
    TokenUse use;
    for (const Value& message : request.messages)
        use.input += estimatedTokens(message);
    for (const ChatTool& tool : request.tools)
        use.input += textTokens(tool.description) + textTokens(toJson(tool.parameters));
    use.output = estimatedTokens(Value(reply.message)) + textTokens(reply.reasoning);
    use.isEstimated = true;
    return use;
}

std::string newCallId(Random& random)
{
    return "call_" + hexText(random.next()) + hexText(random.next());
}

// Answers, reviews and results belong to a call by its id, so that each has one of its own. Where a server
// gave one id to several calls, all but the first get new ones; `renamed` has these by the old id, in order.
void giveIds(Value& calls, Random& random, std::set<std::string>& known,
             std::map<std::string, std::deque<std::string>>& renamed)
{
    if (!calls.isList())
        return;
    for (Value& call : calls.editList()) {
        const std::string given = call.stringOr("id", "");
        if (!given.empty() && known.insert(given).second)
            continue;
        const std::string id = newCallId(random);
        if (!given.empty())
            renamed[given].push_back(id);
        call.editMap().set("id", id);
    }
}

// Renames the calls in a message of blocks, which tells them there, too.
void renameBlocks(Value& content, std::map<std::string, std::deque<std::string>> renamed)
{
    if (!content.isList() || renamed.empty())
        return;
    std::set<std::string> met;
    for (Value& block : content.editList()) {
        const std::string id = block.stringOr("id", "");
        if (block.stringOr("type", "") != "tool_use" || met.insert(id).second)
            continue;
        if (auto& next = renamed[id]; !next.empty()) {
            block.editMap().set("id", next.front());
            next.pop_front();
        }
    }
}

// Returns null if nobody listens.
std::unique_ptr<ChunkFilter> chunkFilter(const ChatCall& call, const std::string& id)
{
    if (!call.onChunk)
        return nullptr;
    return std::make_unique<ChunkFilter>([&call, id](ValueMap chunk) {
        chunk.set("id", id);
        call.onChunk(std::move(chunk));
    });
}

ChatFault outOfTime(const CallDeadline& deadline, const std::string& last)
{
    return { deadline.isOfTask ? "TimeoutError" : "BudgetExceededError",
             deadline.whose + " time is used up" + (last.empty() ? "" : "; at last: " + last)
                 + (deadline.isOfTask ? ". Raise \"timeout_s\" of the node"
                                      : ". Raise \"seconds\" of its \"budget\""),
             deadline.isOfTask, std::nullopt };
}

ChatFault withPartial(ChatFault fault, const ChatFault& last)
{
    fault.partial = last.partial;
    fault.body = last.body;
    return fault;
}

// Tells whether the server does not answer, or answers with an error of its own. Being busy or refusing is
// neither.
bool isOutOfOrder(const ChatOutcome& outcome)
{
    const auto* fault = std::get_if<ChatFault>(&outcome);
    return fault != nullptr
        && (fault->type == "APIConnectionError" || fault->type == "APITimeoutError"
            || fault->type == "InternalServerError");
}

} // namespace

// One request and what came of its answer. Lives on the caller's thread.
struct ChatClient::Exchange {
    const WireFormat& wire;
    const ChatRequest& request;
    net::HttpResponse head{};
    std::unique_ptr<ReplyFold> fold;
    net::SseParser parser{};
    std::string body{}; // of what is no stream
    std::size_t bytes = 0;
    std::optional<ChatFault> fault{};

    bool take(std::string_view piece)
    {
        bytes += piece.size();
        if (head.status / 100 != 2) {
            body.append(piece.substr(0, kMostErrorBody - std::min(body.size(), kMostErrorBody)));
            return body.size() < kMostErrorBody;
        }
        if (!isStream(head)) {
            body.append(piece);
            if (body.size() > kMostReply)
                fault = tooLargeReply({});
            return !fault;
        }
        if (bytes > kMostStream) {
            fault = tooLargeReply(fold->textSoFar());
            return false;
        }
        const auto taken = parser.push(piece, [this](const net::SseEvent& event) {
            fault = fold->take(event);
            return !fault.has_value();
        });
        if (!taken && !fault)
            fault = ChatFault{ "LimitError",
                               taken.error().message + "; it was broken off",
                               false,
                               std::nullopt,
                               cutText(fold->textSoFar(), 4096),
                               {},
                               false,
                               true };
        return !fault;
    }

    ChatOutcome end(WallTime now)
    {
        if (fault)
            return *std::move(fault);
        if (head.status / 100 != 2)
            return statusFault(head.status, head.headers, body, now);
        if (isStream(head))
            return fold->finish();
        if (!isJson(head))
            return brokenReply("the server answered with " + shortened(head.header("content-type"), 80)
                                   + " where " + (request.streams ? "a stream of events" : "JSON")
                                   + " was expected: is \"base_url\" right? It says: " + shortened(body),
                               {});
        return wire.whole(request, body);
    }
};

ChatClient::ChatClient(const Clock& clock, Random& random)
    : m_clock(clock)
    , m_random(random)
    , m_breaker(clock)
{
}

ChatOutcome ChatClient::ask(const ChatCall& call)
{
    ChatRequest request = call.request;
    const std::string id = "lc_run--" + uuidText(uuid7(m_clock.now(), m_random));
    const std::string place = call.endpoint.base.place();
    const bool isReplay = call.recording != nullptr && call.recording->isReplay();
    for (int tried = 0;;) {
        if (const auto pause = isReplay ? std::nullopt : m_breaker.pause(place))
            return ChatFault{ "CircuitOpenError",
                              place + " has failed " + std::to_string(EndpointBreaker::kMostFailures)
                                  + " times in a row; it is asked again in "
                                  + std::to_string(pause->count() / 1000 + 1) + " s",
                              true, *pause };
        if (call.deadline && m_clock.steady() >= call.deadline->at)
            return outOfTime(*call.deadline, {});
        ChatOutcome outcome = isReplay ? replayed(call, request, id) : tryOnce(call, request, id);
        if (!isReplay && !call.stop.stop_requested())
            m_breaker.note(place, isOutOfOrder(outcome));
        if (auto* reply = std::get_if<ChatReply>(&outcome)) {
            complete(call, id, *reply);
            return outcome;
        }
        ChatFault& fault = std::get<ChatFault>(outcome);
        if (call.stop.stop_requested())
            return cancelled();
        if (fault.refusesUsage && std::exchange(request.asksUsage, false))
            continue;
        fault.partial = withoutSecrets(joinedHalves(fault.partial));
        const std::string where = call.endpoint.base.place() + ": " + fault.message;
        if (call.deadline && m_clock.steady() >= call.deadline->at)
            return withPartial(outOfTime(*call.deadline, where), fault);
        if (fault.hadBegun || !fault.isRetryable || tried >= call.endpoint.retries) {
            fault.message = "model \"" + request.model + "\" at " + where
                + (tried == 0 ? "" : " (tried " + std::to_string(tried + 1) + " times)");
            return outcome;
        }
        const auto delay =
            retryDelay(fault, tried, static_cast<double>(m_random.next() >> 11U) / 9007199254740992.0);
        if (call.deadline && m_clock.steady() + delay >= call.deadline->at)
            return withPartial(outOfTime(*call.deadline, where), fault);
        ++tried;
        if (call.note)
            call.note(where + "; try " + std::to_string(tried + 1) + " in " + std::to_string(delay.count())
                      + " ms");
        if (!waits(delay, call.stop))
            return cancelled();
    }
}

ChatOutcome ChatClient::replayed(const ChatCall& call, const ChatRequest& request, const std::string& id)
{
    const WireFormat& wire = wireFormat(call.endpoint.wire);
    auto recorded = call.recording->take(wire.body(request));
    if (!recorded)
        return ChatFault{ "RecordingMismatchError", recorded.error().message, false, std::nullopt };
    const auto chunks = chunkFilter(call, id);
    ChunkSink sink;
    if (chunks)
        sink = [&](const ValueMap& chunk) { chunks->push(chunk); };
    Exchange exchange{ .wire = wire, .request = request, .fold = wire.fold(request, std::move(sink)) };
    exchange.head.status = recorded->status;
    exchange.head.headers = { { "content-type", recorded->contentType } };
    exchange.take(recorded->body);
    auto outcome = exchange.end(m_clock.now());
    if (chunks)
        chunks->finish();
    return outcome;
}

ChatOutcome ChatClient::tryOnce(const ChatCall& call, const ChatRequest& request, const std::string& id)
{
    const BaseUrl& base = call.endpoint.base;
    const std::string_view path = wireFormat(call.endpoint.wire).path;
    std::string url =
        base.with(base.path.ends_with("/v1") && path.starts_with("/v1/") ? path.substr(3) : path);
    for (int hop = 0; hop <= kMostRedirects; ++hop) {
        ChatOutcome outcome = once(call, request, url, id);
        auto* fault = std::get_if<ChatFault>(&outcome);
        if (fault == nullptr || fault->type != "Redirect")
            return outcome;
        auto next = redirected(base, fault->body);
        if (!next)
            return ChatFault{ "APIStatusError", next.error().message, false, std::nullopt };
        url = *std::move(next);
    }
    return ChatFault{ "APIStatusError", "the server sends on and on to other addresses", false,
                      std::nullopt };
}

ChatOutcome ChatClient::once(const ChatCall& call, const ChatRequest& request, const std::string& url,
                             const std::string& id)
{
    const auto chunks = chunkFilter(call, id);
    auto outcome = exchanged(call, request, url, chunks.get());
    if (chunks)
        chunks->finish();
    return outcome;
}

net::HttpRequest ChatClient::httpRequest(const ChatCall& call, const ChatRequest& request,
                                         const std::string& url) const
{
    const Endpoint& endpoint = call.endpoint;
    net::HttpRequest http;
    http.method = "POST";
    http.url = url;
    http.body = wireFormat(endpoint.wire).body(request);
    http.headers = { { "content-type", "application/json" },
                     { "accept",
                       request.streams ? "text/event-stream, application/json" : "application/json" },
                     { "user-agent", "sandglass" } };
    if (endpoint.wire == Wire::Anthropic)
        http.headers.emplace_back("anthropic-version", endpoint.version);
    if (!call.key.empty() && endpoint.auth == Endpoint::Auth::Bearer)
        http.headers.emplace_back("authorization", "Bearer " + call.key);
    if (!call.key.empty() && endpoint.auth == Endpoint::Auth::ApiKey)
        http.headers.emplace_back("x-api-key", call.key);
    if (!call.effect.empty()) // the same for another question would be an error
        http.headers.emplace_back("idempotency-key", sha256Hex(call.effect + '\n' + http.body));
    http.connectTimeout = endpoint.connectTimeout;
    http.timeout = endpoint.timeout;
    if (call.deadline)
        http.timeout = std::clamp(std::chrono::duration_cast<Millis>(call.deadline->at - m_clock.steady()),
                                  Millis(1), endpoint.timeout);
    http.stallTimeout = endpoint.idle;
    http.authorities = endpoint.authorities;
    http.stop = call.stop;
    return http;
}

ChatOutcome ChatClient::exchanged(const ChatCall& call, const ChatRequest& request, const std::string& url,
                                  ChunkFilter* chunks)
{
    const Endpoint& endpoint = call.endpoint;
    const WireFormat& wire = wireFormat(endpoint.wire);
    ChunkSink sink;
    if (chunks)
        sink = [&](const ValueMap& chunk) { chunks->push(chunk); };
    Exchange exchange{ .wire = wire, .request = request, .fold = wire.fold(request, std::move(sink)) };
    net::HttpRequest http = httpRequest(call, request, url);
    http.onHead = [&](const net::HttpResponse& head) {
        exchange.head = head;
        return true;
    };
    std::string recorded;
    http.onBody = [&](int, std::string_view piece) {
        if (call.recording != nullptr && recorded.size() <= kMostStream)
            recorded.append(piece);
        return exchange.take(piece);
    };
    http.isEnough = [&] { return isStream(exchange.head) && exchange.fold->isWhole(); };
    const auto sent = m_http.send(http);
    if (call.stop.stop_requested())
        return cancelled();
    const bool isRedirect = (exchange.head.status == 307 || exchange.head.status == 308)
        && !exchange.head.header("location").empty();
    if (call.recording != nullptr && exchange.head.status != 0 && !isRedirect) // no reply: the next one is
        if (auto kept = call.recording->add(
                http.body,
                { exchange.head.status, exchange.head.header("content-type"), std::move(recorded) });
            !kept && call.note)
            call.note("it could not be recorded: " + kept.error().message);
    const bool isWhole = isStream(exchange.head) && exchange.fold->isWhole();
    const bool isErrorBody = exchange.head.status != 0 && exchange.head.status / 100 != 2;
    if (!sent && !exchange.fault && !isWhole && !isErrorBody) {
        const bool hasBegun = isStream(exchange.head) && exchange.bytes > 0;
        if (hasBegun && sent.error().code != Errc::Timeout)
            return cutReply(exchange.fold->textSoFar());
        ChatFault fault{ sent.error().code == Errc::Timeout ? "APITimeoutError" : "APIConnectionError",
                         sent.error().message,
                         sent.error().code != Errc::PermissionDenied
                             && sent.error().code != Errc::InvalidArgument,
                         std::nullopt };
        fault.hadBegun = hasBegun;
        if (hasBegun)
            fault.partial = exchange.fold->textSoFar();
        return fault;
    }
    if (isRedirect)
        return ChatFault{ "Redirect", {}, false, std::nullopt, {}, exchange.head.header("location") };
    return exchange.end(m_clock.now());
}

void ChatClient::complete(const ChatCall& call, const std::string& id, ChatReply& reply)
{
    // The server was shown a secret, and may say it again.
    reply.message = valueWithoutSecrets(Value(std::move(reply.message))).asMap();
    for (std::string* text : { &reply.text, &reply.reasoning, &reply.refusal })
        *text = withoutSecrets(*text);
    // LangChain numbers answers that are no stream; a stream has one.
    reply.message.set("id", reply.isOfStream ? id : id + "-0");
    std::set<std::string> ids;
    std::map<std::string, std::deque<std::string>> renamed;
    giveIds(reply.message.at("tool_calls"), m_random, ids, renamed);
    giveIds(reply.message.at("invalid_tool_calls"), m_random, ids, renamed);
    renameBlocks(reply.message.at("content"), std::move(renamed));
    if (!reply.use) {
        reply.use = estimated(call.request, reply);
        reply.warnings.emplace_back("the server counted no tokens; they are estimated");
    }
}

bool ChatClient::waits(std::chrono::milliseconds time, const std::stop_token& stop) const
{
    const SteadyTime end = m_clock.steady() + time;
    while (!stop.stop_requested()) {
        const auto left = std::chrono::duration_cast<Millis>(end - m_clock.steady());
        if (left.count() <= 0)
            return true;
        m_clock.sleep(std::min(left, Millis(50)));
    }
    return false;
}

} // namespace sg::models
