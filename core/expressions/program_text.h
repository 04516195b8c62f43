#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sg::expressions {

// False for a program that could change its meaning as the body of a `def` among others: it closes more
// brackets than it opens, has an open string, or uses names of ours, line numbers or modules. Such a program
// is compiled alone.
bool canShareState(std::string_view program);

// Returns one jq program that applies programs[.[0]] to .[1]. Each of them must pass canShareState().
std::string sharedText(std::span<const std::string> programs);

// Returns the program of sharedText() that a compiler message is about, by the line in the message.
std::optional<std::size_t> programOfMessage(std::span<const std::string> programs, const std::string& raw);

// Shortens a compiler message for people: "syntax error, unexpected '|' (line 1)".
std::string compileMessage(const std::string& raw);

} // namespace sg::expressions
