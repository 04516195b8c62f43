#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sg::expressions {

// False for a program that could mean something else as the body of a `def` in company than alone: brackets
// that close more than they open, an open string, names of ours, line numbers, modules. Such a program is
// compiled alone.
bool canShareState(std::string_view program);

// One jq program that applies programs[.[0]] to .[1]. Each of them canShareState().
std::string sharedText(std::span<const std::string> programs);

// The program of sharedText() that a message of jq's compiler is about, by the line that it names.
std::optional<std::size_t> programOfMessage(std::span<const std::string> programs, const std::string& raw);

// What jq's compiler says, made fit for people: "syntax error, unexpected '|' (line 1)".
std::string compileMessage(const std::string& raw);

} // namespace sg::expressions
