#pragma once

#include <string_view>

namespace sg::cli {

// Tells whether the typed text is a complete piece of Python, by the rules of Python's own prompt: no bracket
// or triple-quoted text is open, the last line does not end with a backslash, and a block (a line that ends
// with ":", or a decorator) was closed by an empty line. Only characters are looked at: invalid Python counts
// as complete, so that the interpreter reports it.
bool isWholePython(std::string_view text);

} // namespace sg::cli
