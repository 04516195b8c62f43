#include "core/models/reply_fold.h"

#include "core/models/anthropic_reply.h"
#include "core/models/anthropic_request.h"
#include "core/models/openai_reply.h"
#include "core/models/openai_request.h"

namespace sg::models {
namespace {

constexpr WireFormat kOpenAi{ "/chat/completions", openAiBody, openAiWhole, openAiFold };
constexpr WireFormat kAnthropic{ "/v1/messages", anthropicBody, anthropicWhole, anthropicFold };

} // namespace

const WireFormat& wireFormat(Wire wire)
{
    return wire == Wire::OpenAi ? kOpenAi : kAnthropic;
}

} // namespace sg::models
