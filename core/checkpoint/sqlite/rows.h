#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/sqlite/checkpoint_file.h"
#include "core/sqlite/statement.h"

#include <vector>

namespace sg::checkpoint {

// Reads the statement's current row, selected with kCheckpointColumns; its writes are left out.
Result<CheckpointRecord> readCheckpointRow(const sqlite::Statement& row);
CheckpointRef readCheckpointRef(const sqlite::Statement& row);

// Returns the writes sorted as in CheckpointRecord::writes.
Result<std::vector<PendingWrite>> readWrites(Connection& connection, const CheckpointRef& ref);

} // namespace sg::checkpoint
