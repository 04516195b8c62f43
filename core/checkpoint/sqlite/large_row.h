#pragma once

#include "core/base/result.h"
#include "core/checkpoint/sqlite/checkpoint_file.h"
#include "core/sqlite/statement.h"

#include <string>

// A look at a history shows no values of the state, and a single one may have hundreds of megabytes: of a
// large row, only what a look needs is read from the file.
namespace sg::checkpoint {

// The columns of kCheckpointColumns, but a large checkpoint is null; then the row's number.
inline constexpr const char* kLookColumns =
    "thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type,"
    " CASE WHEN type IS NOT 'msgpack' OR length(checkpoint) <= 1048576 THEN checkpoint END, metadata,"
    " checkpoints.rowid";
inline constexpr int kCheckpointColumn = 5;
inline constexpr int kRowColumn = 7;

// Returns the checkpoint of a row selected with kLookColumns where it is null there, as it would be with null
// for every channel of the state; all of it if it is damaged.
Result<std::string> checkpointWithoutState(Connection& connection, const sqlite::Statement& row);

} // namespace sg::checkpoint
