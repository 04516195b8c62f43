#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/sqlite/statement.h"

#include <string>
#include <variant>
#include <vector>

namespace sg::store {

// Conditions on the fields of an item's value, as SQL and what is to be bound to its '?'.
struct FilterSql {
    std::string conditions; // " AND …" for each; "" where there are none
    std::vector<std::variant<double, std::string>> parameters;

    // Binds from `index` on; returns the next free index.
    int bindTo(sqlite::Statement& statement, int index) const;
};

// {field: value}, or {field: {"$eq" | "$ne" | "$gt" | "$gte" | "$lt" | "$lte": value}}; '.' in a field goes
// one level down. All must hold. As LangGraph's SqliteStore compares: numbers as doubles, null is a missing
// field, lists and objects by their JSON text. Errc::InvalidArgument names what is wrong.
Result<FilterSql> filterSql(const ValueMap& filter);

} // namespace sg::store
