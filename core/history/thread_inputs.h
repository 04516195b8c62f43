#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/value.h"

#include <cstddef>
#include <string>
#include <vector>

namespace sg::checkpoint {
class CheckpointStore;
}

namespace sg::history {

// The input that a run of a thread was given when it began.
struct ThreadInput {
    CheckpointId checkpoint;
    std::int64_t step = 0;
    std::string givenAt; // ISO 8601
    Value values; // channel → value
};

// Newest first. Runs without input, and what cannot be read, are left out. Works on any LangGraph file.
Result<std::vector<ThreadInput>> threadInputs(checkpoint::CheckpointStore& store, const ThreadId& thread,
                                              std::size_t most);

} // namespace sg::history
