#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace sg {

// A checked file name from outside: relative, UTF-8, no "." or "..", no empty parts, no NUL or control
// characters, no part over 255 bytes, at most 4096 bytes and 32 parts. The separator is "/".
class RelativePath {
public:
    static Result<RelativePath> parse(std::string_view text);
    // Why parse() refuses it: "it is empty"; null: it does not.
    static const char* problemOf(std::string_view text);
    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] std::string name() const; // the last part
    friend bool operator==(const RelativePath&, const RelativePath&) = default;

private:
    explicit RelativePath(std::string text);
    std::string m_text;
};

} // namespace sg
