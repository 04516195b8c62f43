#pragma once

#include "core/base/value.h"
#include "core/engine/names.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sg::engine {

struct CompiledGraph;

// A Write is a value that a task wants to put into a channel (see names.h for the special channels).
struct Write {
    std::int32_t channel = kUnknownChannel;
    Value value{};
    Value name{}; // the name of an unknown channel, else null
};
using Writes = std::vector<Write>;

// Returns the channel's name as the database stores it.
std::string writeChannelName(const CompiledGraph& graph, const Write& write);
Value writeChannelKey(const CompiledGraph& graph, const Write& write);
Write namedWrite(const CompiledGraph& graph, std::string_view channel, Value value);

// Tells whether a write says what happened to a task rather than what it produced.
inline bool isControl(const Write& write)
{
    return write.channel <= kErrorWrite && write.channel >= kResumeWrite;
}
// Tells whether a write is stored at a fixed place of its task, where the newest replaces the older.
inline bool hasFixedPlace(const Write& write)
{
    return write.channel == kErrorWrite || write.channel == kInterruptWrite || write.channel == kResumeWrite
        || write.channel == kScheduledWrite;
}
bool allControl(const Writes& writes);
bool allFixedPlace(const Writes& writes);
// Writes at fixed places replace one another: this keeps the newest of each kind, at the place of the first.
Writes deduplicated(const Writes& writes);

} // namespace sg::engine
