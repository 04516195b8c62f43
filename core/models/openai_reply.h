#pragma once

#include "core/models/reply_fold.h"

namespace sg::models {

// These read an answer without a stream, and one in pieces, both as langchain-openai would store them.
ChatOutcome openAiWhole(const ChatRequest& request, std::string_view body);
std::unique_ptr<ReplyFold> openAiFold(const ChatRequest& request, ChunkSink sink);

} // namespace sg::models
