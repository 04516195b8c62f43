#include "core/models/reply_fold.h"

#include "core/models/anthropic_reply.h"
#include "core/models/anthropic_request.h"
#include "core/models/openai_reply.h"
#include "core/models/openai_request.h"

#include <utility>

namespace sg::models {
namespace {

constexpr WireFormat kOpenAi{ "/chat/completions", openAiBody, openAiWhole, openAiFold };
constexpr WireFormat kAnthropic{ "/v1/messages", anthropicBody, anthropicWhole, anthropicFold };

} // namespace

ValueMap aiMessage(AiParts parts)
{
    return { { "content", std::move(parts.content) },
             { "additional_kwargs", Value(std::move(parts.additional)) },
             { "response_metadata", Value(std::move(parts.metadata)) },
             { "type", "ai" },
             { "name", {} },
             { "id", {} },
             { "tool_calls", Value(std::move(parts.calls)) },
             { "invalid_tool_calls", Value(std::move(parts.invalid)) },
             { "usage_metadata", std::move(parts.usage) } };
}

ValueMap aiChunk(AiParts parts)
{
    ValueList pieces = std::move(parts.pieces);
    const bool isLast = parts.isLast;
    ValueMap chunk = aiMessage(std::move(parts));
    chunk.set("type", "AIMessageChunk");
    chunk.set("tool_call_chunks", Value(std::move(pieces)));
    chunk.set("chunk_position", isLast ? Value("last") : Value());
    return chunk;
}

const WireFormat& wireFormat(Wire wire)
{
    return wire == Wire::OpenAi ? kOpenAi : kAnthropic;
}

} // namespace sg::models
