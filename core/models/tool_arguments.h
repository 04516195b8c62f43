#pragma once

#include "core/base/value.h"

#include <optional>
#include <string>
#include <string_view>

namespace sg::models {

// Arguments of a call as the model wrote them. They are read strictly: what had to be repaired is never run.
struct ReadArguments {
    std::optional<Value> args; // a map; nullopt: they are none
    std::string error; // then: what LangChain says of it
};
// Nothing at all means no arguments.
ReadArguments readArguments(std::string_view tool, std::string_view text);

// Adds {"name", "args", "id", "type": "tool_call"} to `calls`, or the same as "invalid_tool_call" with the
// raw text and the error (null if it is empty) to `invalid`.
struct RawCall {
    std::string id;
    std::string name;
    std::string arguments;
};
void addCall(const RawCall& call, bool tellsError, ValueList& calls, ValueList& invalid);

// The JSON of one event as it was read: invalid UTF-8 becomes U+FFFD, and halves of surrogate pairs, which
// servers that cut a character in two send, become marks that joinedHalves() makes one character of.
struct ReadEvent {
    std::optional<Value> value; // nullopt: no JSON
    bool hadInvalidBytes = false;
    std::string error = {};
};
ReadEvent readEventJson(std::string_view text);
// Joins two marks that belong together; a mark that is left alone becomes U+FFFD.
std::string joinedHalves(std::string_view text);
// Returns how many bytes of the end may be the first half of a character that is not whole yet.
std::size_t openHalfAt(std::string_view text);
// Returns the text without invalid UTF-8; `changed` tells whether there was some.
std::string validUtf8(std::string_view text, bool* changed = nullptr);

} // namespace sg::models
