#pragma once

#include <string>
#include <string_view>

namespace sg::history {

// Checkpoint files keep a failed task's error as Python's repr() of the exception. Where that is one text, as
// in ValueError('no\nrows'), this returns "ValueError: no" and the next line "rows"; any other text comes
// back as it is. Source of the escapes: "String and Bytes literals" of the Python language reference. Any
// thread.
std::string errorWords(std::string_view stored);

} // namespace sg::history
