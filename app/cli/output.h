#pragma once

#include "app/cli/exit_code.h"
#include "core/base/result.h"
#include "core/base/value.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace sg::cli {

// Output prints a verb's results. With `json`, stdout holds only JSON: one document, or one line for each
// chunk while a run streams; an error is {"error": {"code", "message"}}. Texts for people then go to stderr.
struct Output {
    bool json = false;
    // Completes the commands in a text for people; empty: they stay as they are.
    std::function<std::string(const std::string& text)> completes{};

    void document(const Value& value) const; // stdout, indented
    void line(const Value& value) const; // stdout, one line
    void text(const std::string& text) const; // stdout, made printable; nothing with json
    void note(const std::string& text) const; // stderr, made printable
    // Prints the error and returns its exit code.
    int fail(const Error& error) const;
    int fail(ExitCode code, const std::string& message) const;
    // JSON has `problems` next to the error; for people they were printed before, one a line.
    int fail(ExitCode code, const std::string& message, const Value& problems) const;
};

ExitCode exitCodeOf(const Error& error);

// "1 node", "2 nodes"
std::string counted(std::int64_t number, const std::string& noun);
// Columns on a terminal.
std::size_t columnsOf(std::string_view text);
// Fills up with spaces to `width` terminal columns, so that columns line up.
std::string padded(std::string text, std::size_t width);

} // namespace sg::cli
