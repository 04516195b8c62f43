#pragma once

#include "core/base/result.h"
#include "core/sqlite/db.h"

#include <cstdint>

// The tables of a checkpoint file: LangGraph's two, laid out as its SqliteSaver lays them out, and ours
// beside them.
namespace sg::checkpoint {

// In sandglass_meta. Raised when a table of ours changes so that an older Sandglass would write wrong rows.
inline constexpr std::int64_t kSchemaVersion = 2;

// What a file holds; a file from elsewhere may lack everything.
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

// Makes the file ready for writing: WAL, missing tables, the missing column. Errc::Unsupported and nothing
// changed where a newer Sandglass wrote it.
Result<void> prepareForWriting(sqlite::Db& db);

} // namespace sg::checkpoint
