#pragma once

#include "core/base/value.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sg::models {

// Tokens as counted by the server. `input` holds those read from and written to a cache, `output` those of
// reasoning.
struct TokenUse {
    std::int64_t input = 0;
    std::int64_t output = 0;
    std::int64_t cacheRead = 0;
    std::int64_t cacheWrite = 0;
    std::int64_t reasoning = 0;
    bool isEstimated = false; // the server counted none: four characters were taken for one
};

struct ChatReply {
    ValueMap message; // an AIMessage as LangChain would store it, without "id"
    std::string text; // of the answer, without reasoning
    std::string reasoning; // told by the server; never part of the content
    std::string refusal;
    std::string finish; // "stop", "end_turn", "tool_calls", …
    std::optional<TokenUse> use; // nullopt: the server told nothing
    std::vector<std::string> warnings;
    bool isOfStream = false;
};

// The reason why there is no reply. Types are those of the official clients, so that a node's retry policy
// names them.
struct ChatFault {
    std::string type; // "RateLimitError"
    std::string message; // what, where, why and what to do
    bool isRetryable = false;
    std::optional<std::chrono::milliseconds> wait; // that the server asked for
    std::string partial = {}; // of the answer that came before the fault
    std::string body = {}; // what the server said, cut
    bool refusesUsage = false; // the server does not know "stream_options"
    bool hadBegun = false; // the answer: trying again is the node's affair alone
};

using ChatOutcome = std::variant<ChatReply, ChatFault>;

// One AIMessageChunk as LangChain streams it, without "id".
using ChunkSink = std::function<void(ValueMap chunk)>;

} // namespace sg::models
