#pragma once

#include <string>
#include <string_view>

namespace sg::models {

// What Python's json.loads(text, strict=False) says where the text is no JSON: "Expecting ',' delimiter: line
// 1 column 9 (char 8)". Empty where it is JSON to Python.
std::string pythonJsonError(std::string_view text);

} // namespace sg::models
