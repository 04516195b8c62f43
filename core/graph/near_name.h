#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::graph {

// The candidate that was probably meant: fewest single edits (insert, delete, change, swap of neighbours;
// letters compare without case), at most a third of the longer word; nothing where none is that near.
std::optional<std::string_view> nearName(std::string_view word,
                                         const std::vector<std::string_view>& candidates);

// "; did you mean 'doubler'?", or nothing.
std::string didYouMean(std::string_view word, const std::vector<std::string_view>& candidates);

} // namespace sg::graph
