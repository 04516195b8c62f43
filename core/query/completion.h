#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sg::query {

// What there is to complete with, beside the words of the language.
struct Vocabulary {
    std::vector<std::string> nodes;
    std::vector<std::string> threads;
};

// What can stand between `from` and the cursor, in place of what stands there.
struct Completion {
    std::size_t from = 0; // byte
    std::vector<std::string> words; // "status:", "failed", "\"a name\""; those that begin as typed come first
};

Completion complete(std::string_view text, std::size_t cursor, const Vocabulary& vocabulary);

} // namespace sg::query
