#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/sqlite/checkpoint_file.h"
#include "core/sqlite/statement.h"

#include <vector>

namespace sg::checkpoint {

// Reads the statement's current row, selected with kCheckpointColumns; its writes are left out.
Result<CheckpointRecord> readCheckpointRow(const sqlite::Statement& row);
// Does the same for a row that was selected with kLookColumns.
Result<CheckpointRecord> readLookedRow(Connection& connection, const sqlite::Statement& row);
CheckpointRef readCheckpointRef(const sqlite::Statement& row);

// Returns the writes sorted as in CheckpointRecord::writes.
// For a look, large ones to the state's channels are null.
Result<std::vector<PendingWrite>> readWrites(Connection& connection, const CheckpointRef& ref, bool isLook);

} // namespace sg::checkpoint
