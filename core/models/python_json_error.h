#pragma once

#include <string>
#include <string_view>

namespace sg::models {

// Returns Python's words, of json.loads(text, strict=False), for a text that is no JSON: "Expecting ','
// delimiter: line 1 column 9 (char 8)". Empty if it is JSON to Python.
std::string pythonJsonError(std::string_view text);

} // namespace sg::models
