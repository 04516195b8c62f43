#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sg::query {

// The words that can complete a query, besides those of the language.
struct Vocabulary {
    std::vector<std::string> nodes;
    std::vector<std::string> threads;
};

// The words that can replace the text between `from` and the cursor.
struct Completion {
    std::size_t from = 0; // byte offset
    std::vector<std::string> words; // "status:", "failed", "\"a name\""; prefix matches come first
};

Completion complete(std::string_view text, std::size_t cursor, const Vocabulary& vocabulary);

} // namespace sg::query
