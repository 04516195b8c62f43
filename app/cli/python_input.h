#pragma once

#include <string_view>

namespace sg::cli {

// Whether what was typed so far is a whole piece of Python, as its own prompt decides: no bracket or text in
// triple quotes is open, the last line does not end with a backslash, and a block (a line that ends with ":",
// or a decorator) was closed by an empty line. A look at the letters alone: what is wrong Python is whole,
// too, so that the interpreter says so.
bool isWholePython(std::string_view text);

} // namespace sg::cli
