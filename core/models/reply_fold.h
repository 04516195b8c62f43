#pragma once

#include "core/models/chat_reply.h"
#include "core/models/chat_request.h"
#include "core/net/sse_parser.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sg::models {

inline constexpr std::size_t kMostReply = 10U << 20; // bytes of one answer, put together

// Makes one reply of a stream's events. One owner.
class ReplyFold {
public:
    virtual ~ReplyFold() = default;
    // Returns a fault that ends the reply; nothing: the stream goes on.
    virtual std::optional<ChatFault> take(const net::SseEvent& event) = 0;
    [[nodiscard]] virtual bool isWhole() const = 0; // the end of the answer has come
    virtual ChatOutcome finish() = 0; // after the last event
    [[nodiscard]] virtual const std::string& textSoFar() const = 0;
};

// The parts of an AIMessage of LangChain.
struct AiParts {
    Value content{};
    ValueMap additional{};
    ValueMap metadata{};
    ValueList calls{};
    ValueList invalid{}; // calls whose arguments are no JSON object
    Value usage{};
    // A chunk alone has these:
    ValueList pieces{}; // of calls
    bool isLast = false;
};
ValueMap aiMessage(AiParts parts);
ValueMap aiChunk(AiParts parts);

// The format of one wire. Pure.
struct WireFormat {
    std::string_view path; // below the base URL
    std::string (*body)(const ChatRequest& request); // JSON
    ChatOutcome (*whole)(const ChatRequest& request, std::string_view body); // of an answer that is no stream
    std::unique_ptr<ReplyFold> (*fold)(const ChatRequest& request, ChunkSink sink); // `sink` may be empty
};
const WireFormat& wireFormat(Wire wire);

} // namespace sg::models
