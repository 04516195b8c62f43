#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>

namespace sg::checkpoint {

struct OwnRows {
    std::int64_t runs = 0;
    std::int64_t tasks = 0; // attempts
    std::int64_t log = 0; // pieces of output, with those of the thread's console
    std::int64_t snapshots = 0;
    std::int64_t dispatches = 0;
};

// Copies what only this program records of a thread (runs, their graphs and packages, tasks, log, snapshots,
// dispatches) from one SQLite file to another, in one transaction, and compares the rows before it commits.
// Both files have been written by a store of this program, so that they have its tables. Where both have a
// row of one key, `newer` tells whose stays; output of a console is added after what is there. Doing it again
// changes nothing. Returns how many rows of the thread are in `from`. Errc::Conflict: `to` has a run of that
// name in another thread, or another snapshot of that name.
enum class NewerRows { From, To };
Result<OwnRows> copyOwnRows(const std::filesystem::path& from, const std::filesystem::path& to,
                            const ThreadId& thread, NewerRows newer = NewerRows::From);

} // namespace sg::checkpoint
