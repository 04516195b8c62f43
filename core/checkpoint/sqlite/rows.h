#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/sqlite/checkpoint_file.h"
#include "core/sqlite/statement.h"

#include <vector>

namespace sg::checkpoint {

// The row that stands ready, selected with kCheckpointColumns, without its writes.
Result<CheckpointRecord> readCheckpointRow(const sqlite::Statement& row);
CheckpointRef readCheckpointRef(const sqlite::Statement& row);

// Sorted as CheckpointRecord::writes.
Result<std::vector<PendingWrite>> readWrites(Connection& connection, const CheckpointRef& ref);

} // namespace sg::checkpoint
