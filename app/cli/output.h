#pragma once

#include "app/cli/exit_code.h"
#include "core/base/result.h"
#include "core/base/value.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sg::cli {

// How a verb speaks. With `json` stdout holds JSON alone: one document, or one a line while a run streams; an
// error is
// {"error": {"code", "message"}}. What is for people goes to stderr then.
struct Output {
    bool json = false;

    void document(const Value& value) const; // stdout, indented
    void line(const Value& value) const; // stdout, one line
    void text(const std::string& text) const; // stdout, made printable; nothing with json
    void note(const std::string& text) const; // stderr, made printable
    // Says what went wrong and returns the exit code that fits.
    int fail(const Error& error) const;
    int fail(ExitCode code, const std::string& message) const;
    // With `problems` beside the error in JSON; for people they are lines of their own, written before.
    int fail(ExitCode code, const std::string& message, const Value& problems) const;
};

ExitCode exitCodeOf(const Error& error);

// "1 node", "2 nodes"
std::string counted(std::int64_t number, const std::string& noun);
// As a terminal counts them.
std::size_t columnsOf(std::string_view text);
// With spaces up to `width` characters as a terminal counts them, so that columns stand beneath each other.
std::string padded(std::string text, std::size_t width);

} // namespace sg::cli
