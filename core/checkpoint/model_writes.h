#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/value.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <unordered_map>

namespace sg::checkpoint {

// A write of a task that tells how many tokens a model used.
struct ModelWrite {
    std::string checkpoint; // of the root graph: where the superstep started; empty: unknown
    std::string task; // of the root graph; for a nested graph, the task that ran it
    std::string node; // that task's node; empty: unknown
    std::string startedAt; // when that task started; empty: unknown
    double seconds = -1; // that task's, over all attempts; -1: unknown
    Value value;
};

struct ModelHistory {
    std::unordered_map<std::string, std::string>
        parents; // checkpoint → its parent, of the root graph; empty if there were no writes
    Value newest; // channel → value of the newest checkpoint, if it holds such messages; else null
};

// Passes once over the keys of a thread. Only values that hold such messages are read; `take` gets them in
// the order of their checkpoints, those of nested graphs first. Errc::Cancelled: `stop` was requested.
Result<ModelHistory> readModelWrites(const std::filesystem::path& database, const ThreadId& thread,
                                     const std::function<void(const ModelWrite&)>& take,
                                     const std::stop_token& stop = {});

} // namespace sg::checkpoint
