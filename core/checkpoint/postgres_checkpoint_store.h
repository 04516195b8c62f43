#pragma once

#include "core/checkpoint/checkpoint_store.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace sg::checkpoint {

// Tells whether a name given for a database is a PostgreSQL address (postgresql://… or postgres://…).
[[nodiscard]] bool isPostgresAddress(std::string_view text);

// Returns the address without what must not be shown: the password, also where it is a parameter. The rest is
// a valid address. Text that is no address comes back as it is.
[[nodiscard]] std::string shownAddress(const std::string& address);

struct PostgresStoreOptions {
    bool readOnly = false; // makes no tables; an empty database has no threads
    // The file of `own`, which gets copies of threads for what reads a file itself; empty: nothing does.
    std::filesystem::path copies{};
    // A statement may take this long, and a lost connection is tried again this long.
    int statementTimeoutMs = 60'000;
    int reconnectMs = 20'000;
};

// Opens the tables of LangGraph's PostgresSaver 3 and makes those that are missing, as its setup() does. What
// only this program records (runs, tasks, output, snapshots) is kept by `own`, a store on this machine. Its
// transaction is committed after that in PostgreSQL.
//
// Errc::Io: the server cannot be reached, or has not come back in time. InvalidArgument: the address
// is none, or the tables are another program's. Unsupported: a newer LangGraph made the tables. Messages
// never hold the password.
Result<std::unique_ptr<CheckpointStore>>
openPostgresCheckpointStore(const std::string& address, std::unique_ptr<CheckpointStore> own,
                            const PostgresStoreOptions& options = {});

// Names the database: the same for every address, user and password that leads to it from here. It is made of
// what the address and libpq's environment say; nothing is connected.
Result<std::string> postgresDatabaseId(const std::string& address);

} // namespace sg::checkpoint
