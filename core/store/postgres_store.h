#pragma once

#include "core/postgres/sessions.h"
#include "core/store/long_term_store.h"

#include <memory>
#include <string>

namespace sg::store {

// Opens the store in a PostgreSQL database, in the tables of LangGraph's PostgresStore 3, and makes those
// that are missing, as its setup() does. Either program reads and changes the other's items. The server's
// clock tells what has expired, as machines share it. A lost connection is tried again for a while, and a
// change is then sent again: a removal whose answer was lost may say that there was nothing.
//
// Errc::Io: the server cannot be reached, or has not come back in time. NotFound: it is to be read alone and
// has no store. InvalidArgument: the address is none, or the table is another program's. Unsupported: a newer
// LangGraph made the tables. Messages never hold the password.
Result<std::unique_ptr<LongTermStore>> openPostgresStore(const std::string& address,
                                                         const StoreOptions& options,
                                                         const postgres::SessionOptions& sessions = {});

} // namespace sg::store
