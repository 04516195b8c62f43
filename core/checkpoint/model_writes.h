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

// What a task wrote that tells how many tokens a model took.
struct ModelWrite {
    std::string checkpoint; // of the graph's own history: the superstep's start; empty: unknown
    std::string task; // of the graph's own; of what ran inside of it, the node that held it
    std::string node; // the same; empty: unknown
    std::string startedAt; // of that task; empty: unknown
    double seconds = -1; // the same: all attempts
    Value value;
};

struct ModelHistory {
    std::unordered_map<std::string, std::string>
        parents; // checkpoint → its parent, of the graph's own history; empty: nothing was written
    Value newest; // channel → value of the newest checkpoint, where it holds such messages, too; else null
};

// One pass over the keys of a thread; values are read where they hold such messages, and given one by one, in
// order of their checkpoints; what ran inside comes first. Cancelled where `stop` said so.
Result<ModelHistory> readModelWrites(const std::filesystem::path& database, const ThreadId& thread,
                                     const std::function<void(const ModelWrite&)>& take,
                                     const std::stop_token& stop = {});

} // namespace sg::checkpoint
