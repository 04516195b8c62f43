#pragma once

#include "core/models/reply_fold.h"

namespace sg::models {

// These read an answer without a stream, and one in pieces, both as langchain-anthropic would store them.
// Usage alone is better: what the start of a stream counts and its end does not repeat is kept.
ChatOutcome anthropicWhole(const ChatRequest& request, std::string_view body);
std::unique_ptr<ReplyFold> anthropicFold(const ChatRequest& request, ChunkSink sink);

} // namespace sg::models
