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

// Tells why tasks ran, from the stored checkpoints: a node runs when a channel that triggers it has a value
// whose version the node has not seen. This needs no graph, so it works on any LangGraph file.
namespace sg::history {

struct TriggerReason {
    std::string channel; // "branch:to:a", "join:a+b:c", "__pregel_tasks" (a Send)
    Value version; // as stored; null if the file holds none
    Value seen; // the newest version that the node had run on before; null: none
    CheckpointId setAt; // where the channel got this version; empty: no longer in the file
    Word<checkpoint::Source> source; // of that checkpoint
    std::vector<NodeId> writtenBy; // nodes whose writes did it; empty: an input, or not stored
};

struct TaskReason {
    TaskId task; // empty: not started yet, and its id needs the graph
    NodeId node;
    bool isSend = false;
    TaskOutcome outcome = TaskOutcome::Pending; // or Done, Failed, Interrupted
    std::vector<TriggerReason> triggers;
};

// The superstep that starts from a checkpoint.
struct SuperstepReasons {
    CheckpointId checkpoint;
    std::int64_t step = 0; // the superstep's number, one more than the checkpoint's
    Word<checkpoint::Source> source; // of the checkpoint
    std::vector<TaskReason> tasks; // empty: nothing is left to run
};

// Returns the nodes whose writes to a channel are stored with a checkpoint, and so made the value of its
// child. They are in the order of their tasks, each once.
std::vector<NodeId> writersOf(const checkpoint::CheckpointRecord& parent, const std::string& channel);

// Explains one checkpoint; without one, the newest `limit` supersteps of the newest branch that ran or wait,
// oldest first. Errc::NotFound: there is no such thread or checkpoint.
Result<std::vector<SuperstepReasons>> explainThread(checkpoint::CheckpointStore& store,
                                                    const ThreadId& thread, const std::string& ns,
                                                    const std::optional<CheckpointId>& checkpoint,
                                                    std::int64_t limit);

} // namespace sg::history
