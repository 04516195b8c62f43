#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sg::checkpoint {

// Checkpoints to be removed from a PostgreSQL database, and namespaces as a whole.
struct PostgresRemoval {
    std::vector<CheckpointRef> checkpoints;
    std::vector<std::pair<ThreadId, std::string>> namespaces;
};

// The bytes of all values in LangGraph's tables, as the server stores them.
struct PostgresRoom {
    std::int64_t before = 0;
    std::int64_t after = 0;
};

// Removes them with their writes, and the values that no other checkpoint of their threads has, in one
// transaction; with `dryRun` it is taken back, so that what it tells is what would be. The server itself
// frees the disk's room later. The caller keeps runs from the threads. Errc::Io: the server cannot be
// reached; Unsupported: a newer LangGraph made the tables.
Result<PostgresRoom> removeFromPostgres(const std::string& address, const PostgresRemoval& removal,
                                        bool dryRun);

// Returns those bytes as they are now; 0 in a database without these tables. Errc::Io: as above.
Result<std::int64_t> bytesInPostgres(const std::string& address);

} // namespace sg::checkpoint
