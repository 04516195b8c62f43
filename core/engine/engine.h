#pragma once

#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/thread_pool.h"
#include "core/base/value.h"
#include "core/base/word.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/engine/companion.h"
#include "core/engine/failure.h"
#include "core/engine/program.h"
#include "core/engine/run_event.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

// Runs a compiled graph on a thread and reads or changes what the thread has stored.
namespace sg::engine {

inline constexpr int kDefaultRecursionLimit = 10007; // LangGraph's

enum class Durability {
    Sync, // each save is on disk before the next superstep
    Async, // saves follow in order; all are on disk when run() returns
    Exit, // one checkpoint, when the run ends
};
constexpr auto namesOf(Durability)
{
    return std::to_array<std::pair<Durability, std::string_view>>({
        { Durability::Sync, "sync" },
        { Durability::Async, "async" },
        { Durability::Exit, "exit" },
    });
}
Durability durabilityOf(const graph::Graph& graph); // Sync where it names none

// A run starts with an input, goes on from the last checkpoint, or takes a Command.
struct RunInput {
    enum class Kind { Input, Continue, Command };
    Kind kind = Kind::Continue;
    Value value; // Input: the input; Command: a Command (Ext 2) as LangGraph serializes it

    static RunInput input(Value value);
    static RunInput goOn();
    static RunInput resume(Value answer); // for the one pending interrupt
    static RunInput resumeById(ValueMap answers); // interrupt id → answer
    static RunInput command(Value command);
};

struct RunOptions {
    ThreadId thread;
    RunId run; // empty: one is made
    std::optional<CheckpointId> checkpoint; // replay or fork from here
    std::string ns; // checkpoint namespace, "" is the root graph
    std::optional<int> recursionLimit; // else the graph's, else kDefaultRecursionLimit
    Durability durability = Durability::Async;
    std::vector<std::string> interruptBefore; // if not empty, replaces the graph's; "*" is every node
    std::vector<std::string> interruptAfter;
    std::vector<std::string> streamModes; // "values", "updates", "tasks", "checkpoints", "debug", "custom",
                                          // "messages"
    bool streamSubgraphs = false; // chunks of nested graphs too
    std::vector<std::string> outputKeys; // empty: the graph's output channels
    ValueMap configurable; // reaches the bodies; scalars are stored in the checkpoints' metadata
    ValueMap metadata;
    Value context; // LangGraph's context of the run, Runtime.context; reaches the bodies, is never stored
    std::stop_token stop; // ends the run between or within tasks; what tasks finished is stored
    std::stop_token pause; // ends the run before its next superstep, as a breakpoint would
    bool inlineTasks =
        false; // one task after another on the caller's thread, in task order: repeatable exactly
};

struct PendingInterrupt {
    std::string id;
    Value value;
    NodeId node;
    TaskId task;
};

struct RunResult {
    RunId run;
    RunStatus status = RunStatus::Done;
    Value values; // the output channels; "__interrupt__": [{"value", "id"}] where the run waits for answers
    std::vector<PendingInterrupt> interrupts;
    std::string errorType; // "ValueError", "GraphRecursionError", …
    std::string error; // message
    std::string detail; // traceback
    NodeId failedNode; // empty: no node failed
    std::optional<FirstFailure> firstFailure; // absent: no task failed
    std::int64_t supersteps = 0; // of the root graph, counting those in which nodes ran: the input's is none
    std::optional<CheckpointId> head; // the newest checkpoint this run saved or loaded
};

// The first failure where the run ended by another one, which its error alone does not tell. Else absent.
std::optional<FirstFailure> earlierFailure(const RunResult& result);

struct StateSnapshot;

struct StateTask {
    TaskId id;
    NodeId name;
    Value path{}; // ["__pregel_pull", "a"]
    Value error{}; // null, or "ValueError('boom')"
    ValueList interrupts{}; // {"value", "id"}
    std::shared_ptr<const StateSnapshot> state{}; // of a nested graph, where asked for
    std::optional<std::string> stateNs{}; // its namespace where not asked for
    std::optional<Value> result{}; // what a finished task wrote
};

struct SnapshotConfig {
    ThreadId thread;
    std::string ns;
    std::optional<CheckpointId> checkpoint;
    ValueMap checkpointMap; // of nested graphs: ancestor namespace → checkpoint id
};

// LangGraph's StateSnapshot. A thread without checkpoints has no metadata.
struct StateSnapshot {
    Value values = Value(ValueMap());
    std::vector<NodeId> next;
    SnapshotConfig config;
    std::optional<Value> metadata; // {"source", "step", "parents", …}
    std::string createdAt;
    std::optional<SnapshotConfig> parent;
    std::vector<StateTask> tasks;
    ValueList interrupts; // {"value", "id"}
};
// {"values", "next", "config", "metadata", "created_at", "parent_config", "tasks", "interrupts"}
Value toValue(const StateSnapshot& snapshot);

struct StateAddress {
    ThreadId thread;
    std::string ns;
    std::optional<CheckpointId> checkpoint; // absent: the newest, with the finished tasks' writes
};

struct HistoryQuery {
    StateAddress at;
    std::optional<CheckpointId> before;
    std::optional<std::int64_t> limit;
    std::vector<std::pair<std::string, Value>> metadataFilter;
};

struct StateUpdate {
    Value values; // null: none
    std::optional<std::string>
        asNode; // a node, "__input__", "__copy__", "__end__"; absent: the last to write
};

// The engine's collaborators; all must outlive it.
struct Services {
    checkpoint::CheckpointStore* store = nullptr; // null: nothing is stored
    const Clock& clock;
    Random& random;
    ThreadPool* pool = nullptr; // for tasks that may block; null: all run inline
    Companion* companion = nullptr; // null: none; asked only where checkpoints are stored
};

using EventListener = std::function<void(const RunEvent&)>;

// Any thread may use it. The caller makes sure that a thread of the store has one run at a time.
class Engine {
public:
    Engine(Program program, Services services);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // Blocks until the run ends. This thread and those of tasks call the listener, one at a time.
    RunResult run(const RunInput& input, const RunOptions& options, const EventListener& listener = {});

    Outcome<StateSnapshot> getState(const StateAddress& at, bool subgraphs = false);
    // Visits the snapshots, newest first; the visitor returns false to stop.
    std::optional<Failure> history(const HistoryQuery& query,
                                   const std::function<bool(const StateSnapshot&)>& visit);
    // Returns the new checkpoint. The thread forks if `at` is an older checkpoint.
    Outcome<SnapshotConfig> updateState(const StateAddress& at, const StateUpdate& update);
    Outcome<SnapshotConfig> bulkUpdateState(const StateAddress& at,
                                            const std::vector<std::vector<StateUpdate>>& steps);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace sg::engine
