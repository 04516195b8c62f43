#pragma once

#include "core/base/result.h"
#include "core/postgres/connection.h"

namespace sg::checkpoint {

// The tables of LangGraph that a database has.
struct PgSchema {
    bool hasTables = false; // all three, as this program reads them
    std::int64_t version = -1; // the newest migration; -1: none
};
// Errc::InvalidArgument: tables of that name are another program's.
Result<PgSchema> readPgSchema(postgres::Connection& connection, const std::string& shown);

// Brings the tables to LangGraph's newest layout, all or nothing. Errc::Unsupported, with nothing changed, if
// a newer LangGraph made them.
Result<void> preparePgForWriting(postgres::Connection& connection, const std::string& shown);

} // namespace sg::checkpoint
