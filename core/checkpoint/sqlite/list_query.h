#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/sqlite/statement.h"

#include <string>
#include <vector>

namespace sg::checkpoint {

// The SELECT for a CheckpointQuery, newest first; its columns are those of kCheckpointColumns, of a look
// those of kLookColumns.
struct ListQuery {
    std::string sql;
    std::vector<Value> parameters;

    void bindTo(sqlite::Statement& statement) const;
};

inline constexpr const char* kCheckpointColumns =
    "thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata";

// Errc::InvalidArgument if a filter's key holds characters that LangGraph does not allow.
Result<ListQuery> makeListQuery(const CheckpointQuery& query);

} // namespace sg::checkpoint
