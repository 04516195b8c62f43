#pragma once

#include "core/models/chat_request.h"

#include <string>

namespace sg::models {

// Returns the body for POST {base}/v1/messages. Messages stand in it as langchain-anthropic sends them.
std::string anthropicBody(const ChatRequest& request);

} // namespace sg::models
