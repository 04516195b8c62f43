#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace sg::expressions {

// Returns names among which are all fields that the program reads of its input, as in `if .go then 1 else .n
// end`. nullopt: it may read all of it, as `keys` and `.` do; that is also said of programs that would have
// to be looked at more closely.
std::optional<std::set<std::string>> fieldsRead(std::string_view program);

} // namespace sg::expressions
