#pragma once

#include "core/models/chat_reply.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// The reason why a model ended its answer, by the words of both wires. All of it is pure.
namespace sg::models {

enum class ReplyEnd {
    Done, // the answer is as long as the model made it
    Calls, // it calls tools
    Paused, // the server asks for the answer back, and goes on with it
    CutByLimit, // of tokens
    ContextFull,
    Refused, // by the model
    Filtered, // by the server
    Unknown,
};
// An empty word means Done: a server that tells no reason counts as one that has none.
ReplyEnd replyEnd(std::string_view finish);

// Returns why an answer that ended like this is not whole, and what to do, in one sentence; nothing: it is
// whole. "the answer is cut off: …"
std::optional<std::string> endText(std::string_view finish);
// The same, for a reply that may hold the model's own words of refusal.
std::optional<std::string> endText(const ChatReply& reply);

// Shifts the numbers of a message's blocks, or of a chunk's: a turn that goes on counts from 0 again.
void shiftBlocks(ValueMap& message, std::int64_t by);
// Returns one more than the greatest number of the message's blocks; without numbers their count.
std::int64_t blocksIn(const ValueMap& message);
// Adds the rest of a paused turn: what was said, called and counted is joined, the reason to end is the
// rest's, the id stays.
void appendReply(ChatReply& reply, ChatReply rest);

} // namespace sg::models
