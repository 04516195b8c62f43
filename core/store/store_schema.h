#pragma once

#include "core/base/result.h"
#include "core/sqlite/db.h"

namespace sg::store {

// LangGraph's SqliteStore tables, made as its own migrations make them. Any other tables are left alone.
Result<void> prepareStoreTables(sqlite::Db& db);

// False: no program has stored anything there.
Result<bool> hasStoreTables(sqlite::Db& db);

} // namespace sg::store
