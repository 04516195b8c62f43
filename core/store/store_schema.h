#pragma once

#include "core/base/result.h"
#include "core/sqlite/db.h"

namespace sg::store {

// Makes the tables of LangGraph's SqliteStore as its own migrations do. Other tables are left alone.
Result<void> prepareStoreTables(sqlite::Db& db);

// False: no program has stored anything there.
Result<bool> hasStoreTables(sqlite::Db& db);

} // namespace sg::store
