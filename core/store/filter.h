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

} // namespace sg::store
