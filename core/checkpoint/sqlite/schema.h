#pragma once

#include "core/base/result.h"
#include "core/sqlite/db.h"

#include <cstdint>

// A checkpoint file holds LangGraph's two tables, laid out as its SqliteSaver does, and our own.
namespace sg::checkpoint {

// The version in sandglass_meta. It rises with changes after which an older Sandglass would write wrong rows.
inline constexpr std::int64_t kSchemaVersion = 2;

// The tables that a file has. A file from elsewhere may lack all of them.
struct SchemaState {
    bool hasCheckpoints = false;
    bool hasWrites = false;
    bool hasTaskPath = false; // writes.task_path, which LangGraph's first files lack
    bool hasRunLog = false;
    bool hasSnapshots = false;
    bool hasOldSnapshots = false; // as version 1 laid them out
    std::int64_t version = 0; // 0: no tables of ours
};
Result<SchemaState> readSchema(sqlite::Db& db);

// Makes the file ready for writing: WAL, missing tables, the missing column. Errc::Unsupported, with nothing
// changed, if a newer Sandglass wrote it.
Result<void> prepareForWriting(sqlite::Db& db);

} // namespace sg::checkpoint
