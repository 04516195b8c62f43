#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::graph {

// Returns the candidate that was probably meant: with the fewest single edits (insert, delete, change, swap
// of neighbours; case does not count), at most a third of the longer word; nullopt if none is that near.
std::optional<std::string_view> nearName(std::string_view word,
                                         const std::vector<std::string_view>& candidates);

// Returns "; did you mean 'doubler'?" or an empty text.
std::string didYouMean(std::string_view word, const std::vector<std::string_view>& candidates);

} // namespace sg::graph
