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
    std::size_t cellBytes = 4096; // more is cut
};

struct QueryCell {
    bool isNull = false;
    std::string text; // of a blob: "blob, 12 bytes"
};

struct QueryTable {
    std::vector<std::string> columns;
    std::vector<std::vector<QueryCell>> rows;
    bool isCut = false; // there were more rows, or cells
};

// SQL of somebody's own over a connection that is open read-only. Nothing but one SELECT is taken: it can
// change nothing, open no other file, load no code, ask no pragma, call only functions whose time is bounded
// by the length of what they are given, and it ends when its time, its memory or its rows are used up.
// Errors: InvalidArgument (no SELECT, or what SQLite says of it), PermissionDenied (it wants what it may
// not), LimitExceeded (time, memory, or a value that is too long), Cancelled (`stop`). The connection is of
// no other use afterwards. Temporary views of it are seen if `PRAGMA temp_store = MEMORY` came before them;
// others are gone.
Result<QueryTable> confinedQuery(Db& db, std::string_view sql, const QueryLimits& limits = {},
                                 std::stop_token stop = {});

} // namespace sg::sqlite
