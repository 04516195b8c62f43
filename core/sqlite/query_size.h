#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sg::sqlite {

// A part of a query with a name: a view, or one of a WITH.
struct QueryPart {
    std::string name;
    std::string text;
};

// How many parts SQLite makes of a query before it runs: each as often as it is named, with what it names in
// turn. It copies them while it compiles, which nothing can stop, and thirty short ones can be a billion.
// An estimate from the words alone that is never too low: a column of a part's name counts, too, and what
// nests deeper than anybody writes is any number.
std::size_t partsOf(std::string_view sql, const std::vector<QueryPart>& views);

} // namespace sg::sqlite
