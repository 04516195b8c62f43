#pragma once

#include "core/base/result.h"
#include "core/sqlite/db.h"

#include <chrono>
#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sg::sqlite {

struct QueryLimits {
    std::chrono::milliseconds time{ 3000 };
    std::size_t rows = 10'000;
    std::size_t bytes = 16U << 20; // of all cells together
    std::size_t cellBytes = 4096; // longer cells are cut
};

struct QueryCell {
    bool isNull = false;
    std::string text; // "blob, 12 bytes" for a blob
};

struct QueryTable {
    std::vector<std::string> columns;
    std::vector<std::vector<QueryCell>> rows;
    bool isCut = false; // there were more rows, or longer cells
};

// Runs a user's SQL over a read-only connection. Only a single SELECT is accepted: it cannot change anything,
// open another file, load code or run a pragma, it can call only functions whose time is bounded by the
// length of their arguments, and it ends when its time, memory or rows are used up. Errors: InvalidArgument
// (no SELECT, or SQLite's message), PermissionDenied (it is not allowed), LimitExceeded (time, memory, or a
// value that is too long), Cancelled (`stop`). The connection cannot be used for anything else afterwards.
// Its temporary views are visible if `PRAGMA temp_store = MEMORY` came before them; otherwise they are lost.
Result<QueryTable> confinedQuery(Db& db, std::string_view sql, const QueryLimits& limits = {},
                                 std::stop_token stop = {});

} // namespace sg::sqlite
