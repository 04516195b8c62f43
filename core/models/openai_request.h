#pragma once

#include "core/models/chat_request.h"

#include <string>

namespace sg::models {

// Returns the body for POST {base}/chat/completions. Messages stand in it as langchain-openai sends them.
std::string openAiBody(const ChatRequest& request);

} // namespace sg::models
