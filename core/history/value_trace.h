#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/checkpoint/checkpoint_store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sg::checkpoint {
class ThreadOutline;
}

// Where a value of the state came from: works on any LangGraph file, without its graph.
namespace sg::history {

// A checkpoint from which on the state held a value, until the next change.
struct ValueOrigin {
    CheckpointId checkpoint;
    std::optional<CheckpointId> parent; // where the tasks that wrote it started
    std::int64_t step = 0;
    std::string source; // "input", "loop", "update", "fork"
    std::vector<NodeId> writtenBy; // empty: an input or an update, or not stored
    Value value; // plain data
    bool isMissing = false; // there was none
};

struct ValueTrace {
    std::vector<ValueOrigin> origins; // newest first; the first is where the value came from
    bool isWhole = false; // the last one is the value's beginning; else there were more than asked for
};

// Of the part of the state that `pointer` (RFC 6901) names, "/messages/3": at most `limit` changes on `way`,
// which leads from a checkpoint back to its first ancestor, or ends before: then the rest of it is found in
// the store, with `outline` by a search over the ids. A channel's versions never come back, so those between
// two changes are not read. Errc::NotFound: a checkpoint is not there; InvalidArgument: the pointer
// names no channel.
Result<ValueTrace> traceValue(checkpoint::CheckpointStore& store, const ThreadId& thread,
                              const std::vector<CheckpointId>& way, const std::string& pointer,
                              std::size_t limit, checkpoint::ThreadOutline* outline = nullptr);

// The keys and indices of a pointer; nullopt: it is none.
std::optional<std::vector<std::string>> pointerTokens(const std::string& pointer);
// What stands there; null: nothing.
const Value* valueAt(const Value& whole, const std::vector<std::string>& tokens);

} // namespace sg::history
