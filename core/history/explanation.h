#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/checkpoint/checkpoint_store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Why tasks ran, as the stored checkpoints tell it: a node runs when a channel that triggers it has a value
// whose version the node has not seen. Needs no graph, so it works on any LangGraph file.
namespace sg::history {

struct TriggerReason {
    std::string channel; // "branch:to:a", "join:a+b:c", "__pregel_tasks" (a Send)
    Value version; // as stored; null where the file holds none
    Value seen; // the newest version that the node had run on before; null: none
    CheckpointId setAt; // where the channel got this version; empty: not in the file any more
    std::string source; // of that checkpoint: "input", "loop", "update", "fork"
    std::vector<NodeId> writtenBy; // whose writes did it; empty: an input, or not stored
};

struct TaskReason {
    TaskId task; // empty: not begun, and its id needs the graph
    NodeId node;
    bool isSend = false;
    std::string outcome; // "done", "failed", "interrupted", "pending"
    std::vector<TriggerReason> triggers;
};

// The superstep that starts from a checkpoint.
struct SuperstepReasons {
    CheckpointId checkpoint;
    std::int64_t step = 0; // of the superstep: the checkpoint's own and one
    std::string source; // of the checkpoint
    std::vector<TaskReason> tasks; // empty: nothing is left to run
};

// Whose writes to a channel stand beside a checkpoint: they made the value that its child has. In the order
// of their tasks, each once.
std::vector<NodeId> writersOf(const checkpoint::CheckpointRecord& parent, const std::string& channel);

// Of one checkpoint; without, of the newest branch's newest `limit` supersteps that ran or wait, oldest
// first. Errc::NotFound: no such thread or checkpoint.
Result<std::vector<SuperstepReasons>> explainThread(checkpoint::CheckpointStore& store,
                                                    const ThreadId& thread, const std::string& ns,
                                                    const std::optional<CheckpointId>& checkpoint,
                                                    std::int64_t limit);

} // namespace sg::history
