#pragma once

#include "core/checkpoint/checkpoint_store.h"

#include <filesystem>
#include <memory>

namespace sg::checkpoint {

struct SqliteStoreOptions {
    bool readOnly = false; // Errc::NotFound if the file is missing
    bool fullSync = true; // PRAGMA synchronous FULL, else NORMAL
    int busyTimeoutMs = 5000; // after this a call fails with Errc::Busy
    // The file holds only what this program records; SnapshotLog::unbound() then finds nothing, as no
    // checkpoint is missing for certain.
    bool checkpointsAreElsewhere = false;
};

// Opens LangGraph's `checkpoints` and `writes` tables (SqliteSaver 3.1) with WAL, one writer connection
// behind a mutex and a connection for each reader. Our own tables in the file have the prefix sandglass_. A
// file written by a newer Sandglass (sandglass_meta.version above ours) is refused for writing with
// Errc::Unsupported.
Result<std::unique_ptr<CheckpointStore>> openSqliteCheckpointStore(const std::filesystem::path& path,
                                                                   const SqliteStoreOptions& options = {});

} // namespace sg::checkpoint
