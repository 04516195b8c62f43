#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/checkpoint/source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sg::checkpoint {
class ThreadOutline;
}

// These functions find where a value of the state came from, in any LangGraph file, without its graph.
namespace sg::history {

// A checkpoint at which the state got a value that it kept until the next change.
struct ValueOrigin {
    CheckpointId checkpoint;
    std::optional<CheckpointId> parent; // where the tasks that wrote it started
    std::int64_t step = 0;
    Word<checkpoint::Source> source;
    std::vector<NodeId> writtenBy; // empty: an input or an update, or not stored
    Value value; // plain data
    bool isMissing = false; // the state had no such value
};

struct ValueTrace {
    std::vector<ValueOrigin> origins; // newest first; the first one made the present value
    bool isWhole = false; // the last one is the value's beginning; false: `limit` was reached
};

// Traces the part of the state that `pointer` (RFC 6901, "/messages/3") names: at most `limit` changes on
// `way`, which leads from a checkpoint back towards its first ancestor. If `way` ends earlier, the rest is
// found in the store, with `outline` by searching the ids. A channel never returns to an old version, so
// checkpoints between two changes are not read. Errc::NotFound: there is no such checkpoint; InvalidArgument:
// the pointer names no channel.
Result<ValueTrace> traceValue(checkpoint::CheckpointStore& store, const ThreadId& thread,
                              const std::vector<CheckpointId>& way, const std::string& pointer,
                              std::size_t limit, checkpoint::ThreadOutline* outline = nullptr);

// Returns the keys and indices of a pointer; nullopt if it is none.
std::optional<std::vector<std::string>> pointerTokens(const std::string& pointer);
// Returns the value there, or null.
const Value* valueAt(const Value& whole, const std::vector<std::string>& tokens);

} // namespace sg::history
