#include "core/models/openai_reply.h"

#include "core/models/chat_fault.h"
#include "core/models/content_blocks.h"
#include "core/models/tool_arguments.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sg::models {
namespace {

// The official client reads usage into objects whose fields come in this order, null where they are absent;
// what it does not know comes after them.
constexpr std::array<std::string_view, 3> kUsageKeys{ "completion_tokens", "prompt_tokens", "total_tokens" };
constexpr std::array<std::string_view, 5> kOutputKeys{ "accepted_prediction_tokens", "audio_tokens",
                                                       "reasoning_tokens", "rejected_prediction_tokens",
                                                       "text_tokens" };
constexpr std::array<std::string_view, 5> kInputKeys{ "audio_tokens", "cache_write_tokens", "cached_tokens",
                                                      "image_tokens", "text_tokens" };

constexpr std::size_t kMostCalls = 1000; // of one answer

void addRest(const Value& from, ValueMap& to)
{
    for (const auto& [key, value] : from.asMap())
        if (to.find(key) == nullptr)
            to.set(key, value);
}

Value details(const Value& given, const std::array<std::string_view, 5>& keys)
{
    if (!given.isMap())
        return given;
    ValueMap out;
    for (const std::string_view key : keys)
        out.set(key, given[key]);
    addRest(given, out);
    return Value(std::move(out));
}

Value dumpedUsage(const Value& usage)
{
    if (!usage.isMap())
        return {};
    ValueMap out;
    for (const std::string_view key : kUsageKeys)
        if (const Value* given = usage.find(key))
            out.set(key, *given);
    out.set("completion_tokens_details", details(usage["completion_tokens_details"], kOutputKeys));
    out.set("prompt_tokens_details", details(usage["prompt_tokens_details"], kInputKeys));
    addRest(usage, out);
    return Value(std::move(out));
}

void setGiven(ValueMap& map, const std::string& key, const Value& value)
{
    if (!value.isNull())
        map.set(key, value);
}

// langchain_openai's _create_usage_metadata.
Value usageMetadata(const Value& usage, const Value& serviceTier)
{
    if (!usage.isMap() || usage.asMap().empty())
        return {};
    const std::int64_t input = usage.intOr("prompt_tokens", 0);
    const std::int64_t output = usage.intOr("completion_tokens", 0);
    const bool isTier = serviceTier == Value("priority") || serviceTier == Value("flex");
    const std::string tier = isTier ? serviceTier.asString() : std::string();
    const std::string prefix = isTier ? tier + "_" : std::string();
    const Value& in = usage["prompt_tokens_details"];
    const Value& out = usage["completion_tokens_details"];
    ValueMap inputs;
    setGiven(inputs, "audio", in["audio_tokens"]);
    setGiven(inputs, prefix + "cache_read", in["cached_tokens"]);
    setGiven(inputs, prefix + "cache_creation", in["cache_write_tokens"]);
    ValueMap outputs;
    setGiven(outputs, "audio", out["audio_tokens"]);
    setGiven(outputs, prefix + "reasoning", out["reasoning_tokens"]);
    if (isTier) {
        inputs.set(tier, input - in.intOr("cached_tokens", 0));
        outputs.set(tier, output - out.intOr("reasoning_tokens", 0));
    }
    return Value::map({ { "input_tokens", input },
                        { "output_tokens", output },
                        { "total_tokens", usage.intOr("total_tokens", input + output) },
                        { "input_token_details", Value(std::move(inputs)) },
                        { "output_token_details", Value(std::move(outputs)) } });
}

std::optional<TokenUse> useOf(const Value& usage)
{
    if (!usage.isMap() || usage.asMap().empty())
        return std::nullopt;
    return TokenUse{ usage.intOr("prompt_tokens", 0), usage.intOr("completion_tokens", 0),
                     usage["prompt_tokens_details"].intOr("cached_tokens", 0),
                     usage["prompt_tokens_details"].intOr("cache_write_tokens", 0),
                     usage["completion_tokens_details"].intOr("reasoning_tokens", 0) };
}

// Returns what the model thought before it answered; servers use several fields for it.
std::string reasoningOf(const Value& message)
{
    return message.stringOr("reasoning_content", message.stringOr("reasoning", ""));
}

class Fold final : public ReplyFold {
public:
    explicit Fold(ChunkSink sink)
        : m_sink(std::move(sink))
    {
    }

    std::optional<ChatFault> take(const net::SseEvent& event) override
    {
        if (event.data == "[DONE]") {
            m_isDone = true;
            return std::nullopt;
        }
        ReadEvent read = readEventJson(event.data);
        if (!read.value || !read.value->isMap())
            return brokenReply("an event of the stream is no JSON object"
                                   + (read.error.empty() ? std::string() : ": " + read.error),
                               m_text);
        const Value& chunk = *read.value;
        if (read.hadInvalidBytes && !std::exchange(m_hadInvalidBytes, true))
            m_warnings.emplace_back("the stream held bytes that are no UTF-8; they became U+FFFD");
        if (const Value& error = chunk["error"]; !error.isNull())
            return streamFault(error, m_text);
        takeUsage(chunk);
        const Value& choices = chunk["choices"];
        if (!choices.isList() || choices.asList().empty() || !choices[std::size_t{ 0 }].isMap()) {
            sendChunk("", { .usage = usageMetadata(chunk["usage"], chunk["service_tier"]) });
            return std::nullopt;
        }
        return takeChoice(chunk, choices[std::size_t{ 0 }]);
    }

    [[nodiscard]] bool isWhole() const override { return m_isDone || !m_finish.isNull(); }
    [[nodiscard]] const std::string& textSoFar() const override { return m_text; }

    ChatOutcome finish() override
    {
        if (!m_isDone && m_finish.isNull())
            return cutReply(m_text);
        if (!m_hasChoice)
            return brokenReply("the stream ended without an answer", {});
        sendRest();
        ChatReply reply;
        reply.text = joinedHalves(m_text);
        reply.reasoning = joinedHalves(m_reasoning);
        reply.refusal = joinedHalves(m_refusal);
        reply.finish = m_finish.isString() ? m_finish.asString() : std::string();
        reply.use = useOf(m_usage);
        reply.warnings = std::move(m_warnings);
        reply.isOfStream = true;
        ValueList calls;
        ValueList invalid;
        for (const Call& call : m_calls)
            addCall({ call.raw.id, call.raw.name, joinedHalves(call.raw.arguments) }, false, calls, invalid);
        m_metadata.set("model_provider", "openai");
        reply.message = aiMessage({ .content = reply.text,
                                    .metadata = std::move(m_metadata),
                                    .calls = std::move(calls),
                                    .invalid = std::move(invalid),
                                    .usage = usageMetadata(m_usage, m_serviceTier) });
        if (m_sink)
            m_sink(aiChunk({ .content = "", .isLast = true }));
        return reply;
    }

private:
    struct Call {
        RawCall raw;
        std::optional<std::int64_t> index;
    };

    std::optional<ChatFault> takeChoice(const Value& chunk, const Value& choice)
    {
        m_hasChoice = true;
        const Value& delta = choice["delta"];
        const std::string piece = delta["content"].isString() ? delta["content"].asString() : std::string();
        m_text += piece;
        m_reasoning += reasoningOf(delta);
        m_refusal += delta.stringOr("refusal", "");
        ValueList pieces;
        if (delta["tool_calls"].isList())
            takeCalls(delta["tool_calls"].asList(), pieces);
        if (m_hasTooManyCalls)
            return brokenReply("the answer calls more than " + std::to_string(kMostCalls) + " tools at once",
                               m_text);
        ValueMap metadata;
        if (const Value& finish = choice["finish_reason"]; finish.isString() && !finish.asString().empty()) {
            metadata.set("finish_reason", finish);
            for (const auto& [key, name] : { std::pair{ "model", "model_name" },
                                             std::pair{ "system_fingerprint", "system_fingerprint" },
                                             std::pair{ "service_tier", "service_tier" } })
                if (chunk[key].isString() && !chunk[key].asString().empty())
                    metadata.set(name, chunk[key]);
            if (m_finish.isNull()) {
                m_finish = finish;
                m_metadata = metadata;
            }
        }
        metadata.set("model_provider", "openai");
        if (m_sink)
            sendChunk(piece,
                      { .metadata = std::move(metadata),
                        .usage = usageMetadata(chunk["usage"], chunk["service_tier"]),
                        .pieces = std::move(pieces) });
        if (m_text.size() + m_reasoning.size() + m_refusal.size() + m_argumentBytes > kMostReply)
            return tooLargeReply(m_text);
        return std::nullopt;
    }

    void takeUsage(const Value& chunk)
    {
        if (chunk["usage"].isMap())
            m_usage = chunk["usage"];
        if (chunk["service_tier"].isString())
            m_serviceTier = chunk["service_tier"];
    }

    void takeCalls(const ValueList& deltas, ValueList& pieces)
    {
        for (std::size_t place = 0; place < deltas.size(); ++place) {
            const Value& delta = deltas[place];
            const Value& function = delta["function"];
            Call* const found = callFor(delta, place);
            if (found == nullptr) {
                m_hasTooManyCalls = true;
                return;
            }
            Call& call = *found;
            if (call.raw.id.empty())
                call.raw.id = delta.stringOr("id", "");
            if (call.raw.name.empty())
                call.raw.name = function.stringOr("name", "");
            const std::string arguments = function.stringOr("arguments", "");
            call.raw.arguments += arguments;
            m_argumentBytes += arguments.size() + 64;
            if (m_sink)
                pieces.push_back(Value::map({ { "name", function["name"] },
                                              { "args", function["arguments"] },
                                              { "id", delta["id"] },
                                              { "index", delta["index"] },
                                              { "type", "tool_call_chunk" } }));
        }
    }

    // Finds the call that a piece belongs to: by its index, else by its id, else by its place. A new id at an
    // index that is taken begins another call. Returns null if there are too many calls, because each piece
    // looks through all of them.
    Call* callFor(const Value& delta, std::size_t place)
    {
        const std::string id = delta.stringOr("id", "");
        std::optional<std::int64_t> index;
        if (delta["index"].isInt())
            index = delta["index"].asInt();
        else if (id.empty())
            index = static_cast<std::int64_t>(place);
        for (auto call = m_calls.rbegin(); call != m_calls.rend(); ++call) {
            const bool isSameId = id.empty() || call->raw.id.empty() || call->raw.id == id;
            if (index ? call->index == index && isSameId : call->raw.id == id)
                return &*call;
        }
        if (m_calls.size() >= kMostCalls)
            return nullptr;
        m_calls.push_back({ {}, index ? index : static_cast<std::int64_t>(m_calls.size()) });
        return &m_calls.back();
    }

    // A character that two pieces share goes out with the second.
    void sendChunk(const std::string& piece, AiParts rest)
    {
        if (!m_sink)
            return;
        m_held += piece;
        const std::size_t open = openHalfAt(m_held);
        rest.content = joinedHalves(std::string_view(m_held).substr(0, open));
        m_sink(aiChunk(std::move(rest)));
        m_held.erase(0, open);
    }

    void sendRest()
    {
        if (m_sink && !m_held.empty())
            m_sink(aiChunk({ .content = joinedHalves(m_held) }));
        m_held.clear();
    }

    const ChunkSink m_sink;
    std::string m_text;
    std::string m_held; // of m_text: not sent yet
    std::string m_reasoning;
    std::string m_refusal;
    std::vector<Call> m_calls;
    std::size_t m_argumentBytes = 0;
    Value m_finish;
    ValueMap m_metadata;
    Value m_usage;
    Value m_serviceTier;
    std::vector<std::string> m_warnings;
    bool m_hadInvalidBytes = false;
    bool m_hasChoice = false;
    bool m_isDone = false;
    bool m_hasTooManyCalls = false;
};

} // namespace

std::unique_ptr<ReplyFold> openAiFold(const ChatRequest& /*request*/, ChunkSink sink)
{
    return std::make_unique<Fold>(std::move(sink));
}

ChatOutcome openAiWhole(const ChatRequest& request, std::string_view body)
{
    const ReadEvent read = readEventJson(body);
    if (!read.value || !read.value->isMap())
        return brokenReply("the answer is no JSON object" + (read.error.empty() ? "" : ": " + read.error),
                           {});
    const Value& answer = *read.value;
    if (const Value& error = answer["error"]; !error.isNull())
        return streamFault(error, {});
    const Value& choice = answer["choices"][std::size_t{ 0 }];
    const Value& given = choice["message"];
    if (!given.isMap())
        return brokenReply("the answer has no \"choices\" with a message", {});
    ChatReply reply;
    if (read.hadInvalidBytes)
        reply.warnings.emplace_back("the answer held bytes that are no UTF-8; they became U+FFFD");
    ValueList calls;
    ValueList invalid;
    if (given["tool_calls"].isList())
        for (const Value& call : given["tool_calls"].asList())
            addCall({ call.stringOr("id", ""), call["function"].stringOr("name", ""),
                      joinedHalves(call["function"].stringOr("arguments", "")) },
                    true, calls, invalid);
    Value content =
        given["content"].isList() ? given["content"] : Value(joinedHalves(given.stringOr("content", "")));
    reply.text = textOf(content);
    reply.reasoning = joinedHalves(reasoningOf(given));
    reply.refusal = joinedHalves(given.stringOr("refusal", ""));
    reply.finish = choice.stringOr("finish_reason", "");
    reply.use = useOf(answer["usage"]);
    ValueMap metadata{ { "token_usage", dumpedUsage(answer["usage"]) },
                       { "model_provider", "openai" },
                       { "model_name", answer["model"].isNull() ? Value(request.model) : answer["model"] },
                       { "system_fingerprint", answer["system_fingerprint"] } };
    if (const Value* id = answer.find("id"))
        metadata.set("id", *id);
    if (answer["service_tier"].isString())
        metadata.set("service_tier", answer["service_tier"]);
    metadata.set("finish_reason", choice["finish_reason"]);
    metadata.set("logprobs", choice["logprobs"]);
    reply.message = aiMessage({ .content = std::move(content),
                                .additional = { { "refusal", given["refusal"] } },
                                .metadata = std::move(metadata),
                                .calls = std::move(calls),
                                .invalid = std::move(invalid),
                                .usage = usageMetadata(answer["usage"], answer["service_tier"]) });
    return reply;
}

} // namespace sg::models
