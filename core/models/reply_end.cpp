#include "core/models/reply_end.h"

#include "core/models/chat_fault.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sg::models {
namespace {

constexpr std::array<std::pair<std::string_view, ReplyEnd>, 14> kEnds{ {
    { "", ReplyEnd::Done },
    { "stop", ReplyEnd::Done },
    { "end_turn", ReplyEnd::Done },
    { "stop_sequence", ReplyEnd::Done },
    { "eos", ReplyEnd::Done },
    { "tool_calls", ReplyEnd::Calls },
    { "function_call", ReplyEnd::Calls },
    { "tool_use", ReplyEnd::Calls },
    { "pause_turn", ReplyEnd::Paused },
    { "length", ReplyEnd::CutByLimit },
    { "max_tokens", ReplyEnd::CutByLimit },
    { "model_context_window_exceeded", ReplyEnd::ContextFull },
    { "refusal", ReplyEnd::Refused },
    { "content_filter", ReplyEnd::Filtered },
} };

Value textBlocks(Value content)
{
    if (content.isList())
        return content;
    if (!content.isString() || content.asString().empty())
        return Value(ValueList());
    return Value::list({ Value::map({ { "type", "text" }, { "text", std::move(content) } }) });
}

// Numbers are added, maps are joined by the same rule; of anything else the newer one counts.
Value added(const Value& before, const Value& more)
{
    if (before.isInt() && more.isInt())
        return before.asInt() + more.asInt();
    if (more.isNull())
        return before;
    if (!before.isMap() || !more.isMap())
        return more;
    ValueMap sum = before.asMap();
    for (const auto& [key, value] : more.asMap()) {
        const Value* known = sum.find(key);
        sum.set(key, known == nullptr ? value : added(*known, value));
    }
    return Value(std::move(sum));
}

std::optional<TokenUse> added(const std::optional<TokenUse>& before, const std::optional<TokenUse>& more)
{
    if (!before || !more)
        return before ? before : more;
    return TokenUse{ before->input + more->input,         before->output + more->output,
                     before->cacheRead + more->cacheRead, before->cacheWrite + more->cacheWrite,
                     before->reasoning + more->reasoning, before->isEstimated || more->isEstimated };
}

void appendList(ValueMap& message, const char* key, const ValueMap& rest)
{
    const Value* more = rest.find(key);
    if (more == nullptr || !more->isList() || more->asList().empty())
        return;
    ValueList joined;
    if (const Value* before = message.find(key); before != nullptr && before->isList())
        joined = before->asList();
    joined.insert(joined.end(), more->asList().begin(), more->asList().end());
    message.set(key, Value(std::move(joined)));
}

void appendContent(ValueMap& message, ValueMap& rest)
{
    const Value* before = message.find("content");
    const Value* more = rest.find("content");
    if (before == nullptr || more == nullptr)
        return;
    if (before->isString() && more->isString()) {
        message.set("content", before->asString() + more->asString());
        return;
    }
    shiftBlocks(rest, blocksIn(message));
    ValueList blocks = textBlocks(*message.find("content")).asList();
    const Value added = textBlocks(*rest.find("content"));
    blocks.insert(blocks.end(), added.asList().begin(), added.asList().end());
    message.set("content", Value(std::move(blocks)));
}

} // namespace

ReplyEnd replyEnd(std::string_view finish)
{
    const auto found = std::ranges::find(kEnds, finish, &std::pair<std::string_view, ReplyEnd>::first);
    return found == kEnds.end() ? ReplyEnd::Unknown : found->second;
}

std::optional<std::string> endText(std::string_view finish)
{
    const std::string word = " (\"" + shortened(finish, 40) + "\")";
    switch (replyEnd(finish)) {
    case ReplyEnd::Done:
    case ReplyEnd::Calls: return std::nullopt;
    case ReplyEnd::Paused:
        return "the server paused the turn" + word + "; it goes on where the answer is sent back";
    case ReplyEnd::CutByLimit:
        return "the answer is cut off: it reached its limit of tokens" + word
            + ". Raise \"max_tokens\" of the node, or ask for less";
    case ReplyEnd::ContextFull:
        return "the answer is cut off: question and answer fill the model's whole context" + word
            + ". Send fewer messages, or take a model with a larger context";
    case ReplyEnd::Refused:
        return "the model refused to go on" + word + ". Change what it is asked, or ask another model";
    case ReplyEnd::Filtered:
        return "the server's content filter ended the answer" + word
            + ". Change what is asked, or the filter at the model's provider";
    case ReplyEnd::Unknown: break;
    }
    return "the server ended the answer for a reason that is not known here" + word
        + ": it may not be whole. The documents of the model's server tell what it means";
}

std::optional<std::string> endText(const ChatReply& reply)
{
    if (reply.refusal.empty())
        return endText(reply.finish);
    return "the model refused to answer: " + shortened(reply.refusal)
        + " (change what it is asked, or ask another model)";
}

std::int64_t blocksIn(const ValueMap& message)
{
    const Value* content = message.find("content");
    if (content == nullptr || !content->isList())
        return content != nullptr && content->isString() && !content->asString().empty() ? 1 : 0;
    auto next = static_cast<std::int64_t>(content->asList().size());
    for (const Value& block : content->asList())
        next = std::max(next, block.intOr("index", -1) + 1);
    return next;
}

void shiftBlocks(ValueMap& message, std::int64_t by)
{
    if (by == 0)
        return;
    for (const char* key : { "content", "tool_call_chunks" }) {
        if (message.find(key) == nullptr || !message.find(key)->isList())
            continue;
        for (Value& block : message.at(key).editList())
            if (block.isMap() && block["index"].isInt())
                block.editMap().set("index", block["index"].asInt() + by);
    }
}

void appendReply(ChatReply& reply, ChatReply rest)
{
    appendContent(reply.message, rest.message);
    appendList(reply.message, "tool_calls", rest.message);
    appendList(reply.message, "invalid_tool_calls", rest.message);
    if (const Value* metadata = rest.message.find("response_metadata"))
        reply.message.set("response_metadata", *metadata);
    if (const Value* more = rest.message.find("usage_metadata")) {
        const Value* before = reply.message.find("usage_metadata");
        reply.message.set("usage_metadata", before == nullptr ? *more : added(*before, *more));
    }
    reply.text += rest.text;
    reply.reasoning += rest.reasoning;
    reply.refusal += rest.refusal;
    reply.finish = std::move(rest.finish);
    reply.use = added(reply.use, rest.use);
}

} // namespace sg::models
