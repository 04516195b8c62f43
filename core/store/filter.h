#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/sqlite/statement.h"

#include <string>
#include <variant>
#include <vector>

namespace sg::store {

// Conditions on the fields of an item's value, as SQL with the parameters for its '?'.
struct FilterSql {
    std::string conditions; // " AND …" for each; "" if there are none
    std::vector<std::variant<double, std::string>> parameters;

    // Binds the parameters from `index` on and returns the next free index.
    int bindTo(sqlite::Statement& statement, int index) const;
};

// Translates {field: value}, or {field: {"$eq" | "$ne" | "$gt" | "$gte" | "$lt" | "$lte": value}}; '.' in a
// field goes one level down. All conditions must hold. It compares as LangGraph's SqliteStore does: numbers
// as doubles, null as a missing field, lists and objects by their JSON text. Errc::InvalidArgument names what
// is wrong.
Result<FilterSql> filterSql(const ValueMap& filter);

// Translates the same for PostgreSQL, into the JSON array that the search's statement goes through:
// {"field", "op", "json"} for $eq and $ne, {"field", "op", "text"} for the others. A field is named as it is:
// '.' goes nowhere. It compares as LangGraph's PostgresStore does: $eq and $ne by the JSON value, where a
// missing field fits neither, and the others by text, for which 10 stands before 9. Errc::InvalidArgument:
// besides, a list or an object to order by, and text with a NUL, which PostgreSQL does not have.
Result<std::string> filterJson(const ValueMap& filter);

// Tells whether a text or a key in it holds a NUL.
bool holdsNul(const Value& value);

} // namespace sg::store
