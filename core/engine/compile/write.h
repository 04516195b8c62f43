#pragma once

#include "core/base/value.h"
#include "core/engine/names.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sg::engine {

struct CompiledGraph;

// What a task wants to put into a channel (see names.h for the special ones).
struct Write {
    std::int32_t channel = kUnknownChannel;
    Value value;
    Value name; // of an unknown channel, else null
};
using Writes = std::vector<Write>;

// As stored in the database.
std::string writeChannelName(const CompiledGraph& graph, const Write& write);
Value writeChannelKey(const CompiledGraph& graph, const Write& write);
Write namedWrite(const CompiledGraph& graph, std::string_view channel, Value value);

// Writes that say what happened to a task rather than what it produced.
inline bool isControl(const Write& write)
{
    return write.channel <= kErrorWrite && write.channel >= kResumeWrite;
}
// Stored at a fixed place for each task, the newest replacing the older.
inline bool hasFixedPlace(const Write& write)
{
    return write.channel == kErrorWrite || write.channel == kInterruptWrite || write.channel == kResumeWrite
        || write.channel == kScheduledWrite;
}
bool allControl(const Writes& writes);
bool allFixedPlace(const Writes& writes);
// Writes that stand at fixed places replace one another: this keeps the newest of each kind, where the first
// stood.
Writes deduplicated(const Writes& writes);

} // namespace sg::engine
