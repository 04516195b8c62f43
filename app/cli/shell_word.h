#pragma once

#include <string>

namespace sg::cli {

// Quotes a text as one word of a shell's command line.
std::string shellWord(const std::string& word);

} // namespace sg::cli
