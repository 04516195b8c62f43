#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sg::sqlite {

// A named part of a query: a view, or a part of WITH.
struct QueryPart {
    std::string name;
    std::string text;
};

// Estimates how many parts SQLite makes of a query before it runs: each part as often as it is named, with
// the parts that it names in turn. SQLite copies them while it compiles, which nothing can stop, and thirty
// short parts can become a billion. The estimate uses the words alone and is never too low: a column with a
// part's name counts, too, and very deep nesting counts as a huge number.
std::size_t partsOf(std::string_view sql, const std::vector<QueryPart>& views);

} // namespace sg::sqlite
