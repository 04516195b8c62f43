#pragma once

#include "core/engine/loop/loop_end.h"
#include "core/engine/out/run_context.h"
#include "core/engine/state/graph_state.h"
#include "core/engine/state/pending.h"
#include "core/engine/steps/plan.h"
#include "core/engine/steps/task_ids.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sg::engine {

class Answers;

// LoopPlace says where a loop runs: at the root, or inside a task of another loop.
struct LoopPlace {
    bool nested = false;
    std::string ns; // "" at the root
    ValueMap ancestors; // namespaces of the outer graphs → their checkpoints
    std::optional<bool> resuming; // the outer graph's value
    Answers* outerAnswers = nullptr; // those of the task that this graph runs in
    bool stores = false; // has a checkpointer
    bool streams = false; // its chunks reach the listener
    std::optional<CheckpointId> checkpoint; // start from this one
};

// The checkpoint of a loop's state, with its place in the tree. LoopStart and CheckpointSaver write it.
struct Head {
    CheckpointId id; // made on demand, see LoopState::checkpoint()
    std::int64_t idStep = -2;
    int version = 4;
    checkpoint::CheckpointMetadata metadata;
    std::optional<CheckpointId> saved; // the newest stored one: the next one's parent
    std::optional<CheckpointId> parent; // its parent
    CheckpointId initialId; // what the run started from; empty: none was stored, and none is needed
    bool hasStoredParent = false; // initialId is stored
    bool isNew = false; // this run has moved on from it
    bool loadedLatest = false;
    std::shared_ptr<const checkpoint::CheckpointRef> ref; // see LoopState::sharedRef()
};

// The tasks of a superstep, and the writes recorded for them before this run or by a Command.
struct PlannedTasks {
    std::vector<Task> list;
    std::deque<Task> handlers; // tasks of error handlers; they follow the list
    std::optional<TaskIds> ids; // made on demand, see LoopState::taskId()
    std::vector<Pending> pending;
    bool planned = false;

    template<typename Visit>
    void each(Visit visit)
    {
        for (Task& task : list)
            visit(task);
        for (Task& task : handlers)
            visit(task);
    }
    [[nodiscard]] std::size_t orderOf(const Task& task);
};

// LoopState is the data that all parts of a loop work on. The loop owns it and its thread uses it; while
// tasks run in parallel it is constant, but for what StepExecution writes under its lock.
struct LoopState {
    LoopState(const CompiledGraph& compiled, RunContext& context, LoopPlace where);

    const CheckpointId& checkpoint(); // the id of the state in `channels`
    const std::shared_ptr<const checkpoint::CheckpointRef>& sharedRef(); // refers to checkpoint()
    [[nodiscard]] checkpoint::CheckpointRef refOf(const CheckpointId& id) const;
    const std::string& taskId(Task& task);
    // Returns the channels as the newest stored checkpoint has them; nullopt if none can be read.
    [[nodiscard]] std::optional<GraphState> storedChannels() const;

    [[nodiscard]] Ended flush() const; // everything is stored when it returns
    [[nodiscard]] Ended pushSaves() const; // stored, or with durability async on its way
    [[nodiscard]] Ended savesStepEnded() const; // pushes if durability asks for it

    const CompiledGraph& graph;
    RunContext& run;
    const LoopPlace place;
    const VersionSource versions;
    const bool savesAtExit; // durability exit, with a store

    GraphState channels;
    StepLimits limits;
    ChannelSet updated; // by the last superstep
    bool updatedKnown = false;
    bool isReplaying = false; // finished tasks run again
    std::optional<bool> resuming; // passed to nested graphs

    Head head;
    PlannedTasks tasks;
};

} // namespace sg::engine
