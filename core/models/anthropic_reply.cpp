#include "core/models/anthropic_reply.h"

#include "core/base/json.h"
#include "core/models/chat_fault.h"
#include "core/models/content_blocks.h"
#include "core/models/tool_arguments.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace sg::models {
namespace {

// The official client reads objects whose fields come in this order, null where they are absent; what it does
// not know comes after them.
constexpr std::array<std::string_view, 10> kUsageKeys{ "cache_creation",
                                                       "cache_creation_input_tokens",
                                                       "cache_read_input_tokens",
                                                       "inference_geo",
                                                       "input_tokens",
                                                       "output_tokens",
                                                       "output_tokens_details",
                                                       "server_tool_use",
                                                       "service_tier",
                                                       "speed" };
constexpr std::array<std::string_view, 4> kToolUseKeys{ "id", "input", "name", "type" };
constexpr std::array<std::string_view, 2> kTextKeys{ "text", "type" };
constexpr std::array<std::string_view, 3> kThinkingKeys{ "signature", "thinking", "type" };
constexpr std::array<std::string_view, 2> kRedactedKeys{ "data", "type" };

void addRest(const Value& from, ValueMap& to)
{
    for (const auto& [key, value] : from.asMap())
        if (to.find(key) == nullptr)
            to.set(key, value);
}

std::span<const std::string_view> keysOf(const std::string& type)
{
    if (type == "tool_use")
        return kToolUseKeys;
    if (type == "text")
        return kTextKeys;
    if (type == "thinking")
        return kThinkingKeys;
    return type == "redacted_thinking" ? std::span<const std::string_view>(kRedactedKeys)
                                       : std::span<const std::string_view>();
}

// A block of content as the client's objects print it; LangChain leaves empty citations and callers out.
ValueMap dumpedBlock(const Value& block)
{
    ValueMap out;
    const std::string type = block.stringOr("type", "");
    if (type == "text" && !block["citations"].isNull())
        out.set("citations", block["citations"]);
    for (const std::string_view key : keysOf(type))
        if (const Value* given = block.find(key)) {
            if (type == "tool_use" && key == "input" && !block["caller"].isNull())
                out.set("caller", block["caller"]);
            out.set(key, *given);
        }
    if (type == "tool_use")
        out.set("toolset_name", block["toolset_name"]);
    for (const auto& [key, value] : block.asMap()) {
        const bool isLeftOut = value.isNull() && (key == Value("citations") || key == Value("caller"));
        if (!isLeftOut && out.find(key) == nullptr)
            out.set(key, value);
    }
    return out;
}

std::int64_t countOf(const Value& usage, const char* key)
{
    return usage.intOr(key, 0);
}

// langchain_anthropic's _create_usage_metadata. Where LangChain checks the message once more, as it does
// after a stream, the fields that it knows come in its own order.
Value usageMetadata(const Value& usage, bool isChecked)
{
    const Value& creation = usage["cache_creation"];
    std::int64_t byAge = 0;
    ValueMap ages;
    if (creation.isMap())
        for (const char* key : { "ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens" })
            if (const Value* given = creation.find(key); given != nullptr && given->isInt()) {
                byAge += given->asInt();
                ages.set(key, *given);
            }
    Value written = usage["cache_creation_input_tokens"];
    const std::int64_t allWritten = byAge > 0 ? byAge : countOf(usage, "cache_creation_input_tokens");
    if (byAge > 0)
        written = Value(0);
    ValueMap inputs;
    const auto set = [&inputs](const char* key, const Value& value) {
        if (!value.isNull())
            inputs.set(key, value);
    };
    if (isChecked)
        set("cache_creation", written);
    set("cache_read", usage["cache_read_input_tokens"]);
    set("cache_creation", written);
    for (const auto& [key, value] : ages)
        inputs.set(key, value);
    const std::int64_t input =
        countOf(usage, "input_tokens") + countOf(usage, "cache_read_input_tokens") + allWritten;
    const std::int64_t output = countOf(usage, "output_tokens");
    ValueMap out{ { "input_tokens", input },
                  { "output_tokens", output },
                  { "total_tokens", input + output },
                  { "input_token_details", Value(std::move(inputs)) } };
    if (const Value& thought = usage["output_tokens_details"]["thinking_tokens"]; thought.isInt())
        out.set("output_token_details", Value::map({ { "reasoning", thought } }));
    return Value(std::move(out));
}

std::optional<TokenUse> useOf(const Value& usage)
{
    if (!usage.isMap() || usage.asMap().empty())
        return std::nullopt;
    const Value counted = usageMetadata(usage, true);
    const std::int64_t read = countOf(usage, "cache_read_input_tokens");
    return TokenUse{ counted.intOr("input_tokens", 0), counted.intOr("output_tokens", 0), read,
                     counted.intOr("input_tokens", 0) - read - countOf(usage, "input_tokens"),
                     usage["output_tokens_details"].intOr("thinking_tokens", 0) };
}

class Fold final : public ReplyFold {
public:
    Fold(const ChatRequest& request, ChunkSink sink)
        : m_sink(std::move(sink))
        , m_keepsBlocks(request.keepsBlocks())
    {
    }

    std::optional<ChatFault> take(const net::SseEvent& event) override
    {
        ReadEvent read = readEventJson(event.data);
        if (!read.value || !read.value->isMap())
            return brokenReply("an event of the stream is no JSON object"
                                   + (read.error.empty() ? std::string() : ": " + read.error),
                               m_text);
        if (read.hadInvalidBytes && !std::exchange(m_hadInvalidBytes, true))
            m_warnings.emplace_back("the stream held bytes that are no UTF-8; they became U+FFFD");
        const Value& told = *read.value;
        const std::string type = told.stringOr("type", event.name);
        if (type == "error")
            return streamFault(told["error"].isNull() ? told : told["error"], m_text);
        if (type == "message_start")
            takeStart(told["message"]);
        else if (type == "content_block_start" && told["content_block"].isMap())
            takeBlock(told.intOr("index", 0), told["content_block"]);
        else if (type == "content_block_delta" && told["delta"].isMap())
            takeDelta(told.intOr("index", 0), told["delta"]);
        else if (type == "message_delta")
            takeEnd(told);
        else if (type == "message_stop")
            m_isDone = true;
        if (m_bytes > kMostReply)
            return tooLargeReply(m_text);
        return std::nullopt;
    }

    [[nodiscard]] bool isWhole() const override { return m_isDone || m_stop.isString(); }
    [[nodiscard]] const std::string& textSoFar() const override { return m_text; }

    ChatOutcome finish() override
    {
        if (!isWhole())
            return cutReply(m_text);
        if (!m_hasStarted)
            return brokenReply("the stream ended without an answer", {});
        ChatReply reply;
        reply.text = joinedHalves(m_text);
        reply.reasoning = joinedHalves(m_reasoning);
        reply.finish = m_stop.isString() ? m_stop.asString() : std::string();
        reply.use = useOf(m_usage);
        reply.warnings = std::move(m_warnings);
        reply.isOfStream = true;
        ValueList calls;
        ValueList invalid;
        ValueList blocks;
        for (auto& [index, block] : m_blocks) {
            if (block.isCall)
                addCall({ block.call.id, block.call.name, joinedHalves(block.call.arguments) }, false, calls,
                        invalid);
            for (const auto& [key, text] : block.grown)
                block.content.set(key, Value(text));
            if (!block.content.empty())
                blocks.push_back(joinedBlock(block.content));
        }
        m_metadata.set("model_provider", "anthropic");
        m_metadata.set("stop_reason", m_stop);
        m_metadata.set("stop_sequence", m_stopSequence);
        if (!m_stopDetails.isNull())
            m_metadata.set("stop_details", m_stopDetails);
        Value content = m_keepsBlocks ? Value(std::move(blocks)) : Value(reply.text);
        reply.message = aiMessage({ .content = std::move(content),
                                    .metadata = std::move(m_metadata),
                                    .calls = std::move(calls),
                                    .invalid = std::move(invalid),
                                    .usage = usageMetadata(m_usage, true) });
        return reply;
    }

private:
    struct Block {
        ValueMap content; // as it is stored; empty: nothing of it has come that is
        std::map<std::string, std::string> grown; // its texts; in `content` they are places alone
        bool isCall = false;
        RawCall call;
    };

    static Value joinedBlock(const ValueMap& content)
    {
        ValueMap out;
        for (const auto& [key, value] : content)
            out.set(key, value.isString() ? Value(joinedHalves(value.asString())) : value);
        return Value(std::move(out));
    }

    void takeStart(const Value& message)
    {
        m_hasStarted = true;
        takeUsage(message["usage"]);
        if (const Value* model = message.find("model"))
            m_metadata.set("model_name", *model);
        if (m_sink)
            send(ValueList(), { .metadata = m_metadata });
    }

    // Takes the greater of what start and end count, since servers repeat some of it, or none.
    void takeUsage(const Value& usage)
    {
        if (!usage.isMap())
            return;
        ValueMap merged = m_usage.isMap() ? m_usage.asMap() : ValueMap();
        for (const auto& [key, value] : usage.asMap()) {
            const Value* before = merged.find(key);
            const bool isLess =
                before != nullptr && before->isInt() && (!value.isInt() || value.asInt() < before->asInt());
            if (!isLess && (before == nullptr || !value.isNull()))
                merged.set(key, value);
        }
        m_usage = Value(std::move(merged));
    }

    void takeBlock(std::int64_t index, const Value& given)
    {
        Block& block = m_blocks[index];
        const std::string type = given.stringOr("type", "");
        const std::string text = given.stringOr("text", "");
        const std::string thought = given.stringOr("thinking", "");
        m_bytes += 256;
        if (type == "text" && text.empty())
            return;
        if (type == "thinking" && thought.empty() && given.stringOr("signature", "").empty())
            return;
        m_bytes += text.size() + thought.size();
        if (type == "text")
            m_text += text;
        m_reasoning += thought;
        block.content = dumpedBlock(given);
        block.content.set("index", index);
        ValueList pieces;
        if (type == "tool_use") {
            const Value& input = given["input"];
            const bool isWholeNow = input.isMap() && !input.asMap().empty();
            block.isCall = true;
            block.call = { given.stringOr("id", ""), given.stringOr("name", ""),
                           isWholeNow ? toJson(input, JsonStyle::Spaced) : std::string() };
            m_bytes += block.call.arguments.size();
            pieces.push_back(callPiece(given["name"], Value(block.call.arguments), given["id"], index));
        }
        if (m_sink)
            send(ValueList{ Value(block.content) }, { .pieces = std::move(pieces) });
    }

    static Value callPiece(const Value& name, const Value& args, const Value& id, std::int64_t index)
    {
        return Value::map({ { "name", name },
                            { "args", args },
                            { "id", id },
                            { "index", index },
                            { "type", "tool_call_chunk" } });
    }

    void takeDelta(std::int64_t index, const Value& delta)
    {
        Block& block = m_blocks[index];
        const std::string type = delta.stringOr("type", "");
        ValueList pieces;
        ValueMap piece;
        if (type == "text_delta") {
            const std::string text = delta.stringOr("text", "");
            m_text += text;
            piece = { { "text", text }, { "type", "text" }, { "index", index } };
        } else if (type == "thinking_delta") {
            const std::string thought = delta.stringOr("thinking", "");
            m_reasoning += thought;
            piece = { { "thinking", thought }, { "type", "thinking" }, { "index", index } };
        } else if (type == "signature_delta") {
            piece = { { "signature", delta["signature"] },
                      { "type", "thinking" },
                      { "index", index },
                      { "thinking", "" } };
        } else if (type == "input_json_delta") {
            const std::string json = delta.stringOr("partial_json", "");
            block.call.arguments += json;
            piece = { { "partial_json", json }, { "type", "input_json_delta" }, { "index", index } };
            if (block.isCall && m_sink)
                pieces.push_back(callPiece({}, Value(json), {}, index));
        } else if (type == "citations_delta") {
            piece = { { "type", "text" },
                      { "index", index },
                      { "citations", Value::list({ delta["citation"] }) } };
        } else {
            return;
        }
        merge(piece, block);
        if (m_sink)
            send(ValueList{ Value(std::move(piece)) }, { .pieces = std::move(pieces) });
    }

    // LangChain's merge of two chunks of one block: texts grow, lists grow, the type of the first stays.
    void merge(const ValueMap& piece, Block& block)
    {
        for (const auto& [key, value] : piece) {
            Value* before = block.content.find(key) != nullptr ? &block.content.at(key) : nullptr;
            if (key == Value("type") || key == Value("index")) {
                if (before == nullptr)
                    block.content.set(key, value);
            } else if (value.isString()) {
                std::string& text = block.grown[key.asString()];
                if (before != nullptr && text.empty() && before->isString())
                    text = before->asString();
                text += value.asString();
                m_bytes += value.asString().size();
                if (before == nullptr)
                    block.content.set(key, "");
            } else if (before != nullptr && before->isList() && value.isList()) {
                before->editList().push_back(value[std::size_t{ 0 }]);
            } else {
                block.content.set(key, value);
            }
        }
    }

    void takeEnd(const Value& told)
    {
        const Value& delta = told["delta"];
        takeUsage(told["usage"]);
        if (delta["stop_reason"].isString())
            m_stop = delta["stop_reason"];
        m_stopSequence = delta["stop_sequence"];
        m_stopDetails = delta["stop_details"];
        if (m_sink)
            send(ValueList(),
                 { .metadata = { { "stop_reason", m_stop }, { "stop_sequence", m_stopSequence } },
                   .usage = usageMetadata(m_usage, true),
                   .isLast = m_stop.isString() });
    }

    void send(ValueList content, AiParts rest)
    {
        if (!m_keepsBlocks) {
            std::string text;
            for (const Value& block : content)
                text += block.stringOr("type", "") == "text" ? block.stringOr("text", "") : "";
            if (text.empty() && !content.empty())
                return; // thinking that nobody asked for
            rest.pieces.clear();
            sendText(text, std::move(rest));
            return;
        }
        for (Value& block : content)
            block = joinedBlock(block.asMap());
        rest.content = Value(std::move(content));
        sendChunk(std::move(rest));
    }

    // A character that two pieces share goes out with the second.
    void sendText(std::string_view piece, AiParts rest)
    {
        m_held += piece;
        const std::size_t open = rest.isLast ? m_held.size() : openHalfAt(m_held);
        rest.content = joinedHalves(std::string_view(m_held).substr(0, open));
        sendChunk(std::move(rest));
        m_held.erase(0, open);
    }

    void sendChunk(AiParts parts)
    {
        parts.metadata.set("model_provider", "anthropic");
        m_sink(aiChunk(std::move(parts)));
    }

    const ChunkSink m_sink;
    const bool m_keepsBlocks;
    std::map<std::int64_t, Block> m_blocks;
    std::string m_text;
    std::string m_held; // of m_text: not sent yet
    std::string m_reasoning;
    std::size_t m_bytes = 0;
    ValueMap m_metadata;
    Value m_usage;
    Value m_stop;
    Value m_stopSequence;
    Value m_stopDetails;
    std::vector<std::string> m_warnings;
    bool m_hadInvalidBytes = false;
    bool m_hasStarted = false;
    bool m_isDone = false;
};

Value inOrder(const Value& given, std::initializer_list<const char*> keys)
{
    if (!given.isMap())
        return given;
    ValueMap out;
    for (const char* key : keys)
        if (const Value* value = given.find(key))
            out.set(key, *value);
    addRest(given, out);
    return Value(std::move(out));
}

Value dumpedUsage(const Value& usage)
{
    if (!usage.isMap())
        return usage;
    ValueMap out;
    for (const std::string_view key : kUsageKeys)
        out.set(key, usage[key]);
    out.set("cache_creation",
            inOrder(usage["cache_creation"], { "ephemeral_1h_input_tokens", "ephemeral_5m_input_tokens" }));
    out.set("server_tool_use",
            inOrder(usage["server_tool_use"], { "web_fetch_requests", "web_search_requests" }));
    addRest(usage, out);
    return Value(std::move(out));
}

ValueMap wholeMetadata(const Value& answer)
{
    ValueMap metadata;
    for (const char* key :
         { "id", "container", "diagnostics", "model", "stop_details", "stop_reason", "stop_sequence" })
        metadata.set(key, answer[key]);
    metadata.set("usage", dumpedUsage(answer["usage"]));
    for (const auto& [key, value] : answer.asMap())
        if (metadata.find(key) == nullptr && key != Value("content") && key != Value("role")
            && key != Value("type"))
            metadata.set(key, value);
    metadata.set("model_name", answer["model"]);
    metadata.set("model_provider", "anthropic");
    return metadata;
}

} // namespace

std::unique_ptr<ReplyFold> anthropicFold(const ChatRequest& request, ChunkSink sink)
{
    return std::make_unique<Fold>(request, std::move(sink));
}

ChatOutcome anthropicWhole(const ChatRequest& /*request*/, std::string_view body)
{
    const ReadEvent read = readEventJson(body);
    if (!read.value || !read.value->isMap())
        return brokenReply("the answer is no JSON object" + (read.error.empty() ? "" : ": " + read.error),
                           {});
    const Value& answer = *read.value;
    if (answer.stringOr("type", "") == "error" || !answer["error"].isNull())
        return streamFault(answer["error"], {});
    if (!answer["content"].isList())
        return brokenReply("the answer has no list of \"content\"", {});
    ChatReply reply;
    if (read.hadInvalidBytes)
        reply.warnings.emplace_back("the answer held bytes that are no UTF-8; they became U+FFFD");
    ValueList blocks;
    ValueList calls;
    ValueList invalid;
    for (const Value& given : answer["content"].asList()) {
        if (!given.isMap())
            continue;
        ValueMap block = dumpedBlock(given);
        for (const char* key : { "text", "thinking" })
            if (const Value* text = block.find(key); text != nullptr && text->isString())
                block.set(key, joinedHalves(text->asString()));
        if (given.stringOr("type", "") == "tool_use" && !given["input"].isMap())
            addCall({ given.stringOr("id", ""), given.stringOr("name", ""), toJson(given["input"]) }, true,
                    calls, invalid);
        else if (given.stringOr("type", "") == "tool_use")
            calls.push_back(Value::map({ { "name", given["name"] },
                                         { "args", given["input"] },
                                         { "id", given["id"] },
                                         { "type", "tool_call" } }));
        if (given.stringOr("type", "") == "thinking")
            reply.reasoning += given.stringOr("thinking", "");
        blocks.emplace_back(std::move(block));
    }
    Value content(std::move(blocks));
    reply.text = textOf(content);
    reply.finish = answer.stringOr("stop_reason", "");
    reply.use = useOf(answer["usage"]);
    const ValueList& list = content.asList();
    const bool isText =
        list.size() == 1 && list.front().stringOr("type", "") == "text" && list.front()["citations"].isNull();
    reply.message = aiMessage({ .content = isText ? Value(reply.text) : content,
                                .metadata = wholeMetadata(answer),
                                .calls = std::move(calls),
                                .invalid = std::move(invalid),
                                .usage = usageMetadata(answer["usage"], false) });
    return reply;
}

} // namespace sg::models
