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

// {"name", "args", "id", "type": "tool_call"}, into `calls`, or the same as "invalid_tool_call" with the raw
// text and the error (null where it is empty) into `invalid`.
struct RawCall {
    std::string id;
    std::string name;
    std::string arguments;
};
void addCall(const RawCall& call, bool tellsError, ValueList& calls, ValueList& invalid);

// JSON of one event: invalid UTF-8 becomes U+FFFD, and halves of surrogate pairs, which servers that cut a
// character in two send, become marks that joinedHalves() makes one character of.
struct ReadEvent {
    std::optional<Value> value; // nullopt: no JSON
    bool hadInvalidBytes = false;
    std::string error = {};
};
ReadEvent readEventJson(std::string_view text);
// Marks that are left alone become U+FFFD.
std::string joinedHalves(std::string_view text);
// How much of the end may be the first half of a character that is not whole yet.
std::size_t openHalfAt(std::string_view text);
// Text without invalid UTF-8.
std::string validUtf8(std::string_view text, bool* changed = nullptr);

} // namespace sg::models
