#pragma once

#include "core/base/result.h"
#include "core/postgres/connection.h"

#include <string>

namespace sg::store {

// Tells whether the database has the table of LangGraph's PostgresStore. Errc::InvalidArgument: a table of
// that name is another program's.
Result<bool> hasPostgresStore(postgres::Connection& connection, const std::string& shown);

// Makes the tables as PostgresStore's own setup() does, or brings them to its newest layout, all or nothing.
// Tables with embeddings are left alone. Errc::Unsupported, with nothing changed, if a newer LangGraph made
// them.
Result<void> preparePostgresStore(postgres::Connection& connection, const std::string& shown);

} // namespace sg::store
