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

// Where a loop stands: at the root, or inside a task of another.
struct LoopPlace {
    bool nested = false;
    std::string ns; // "" at the root
    ValueMap ancestors; // their namespaces → the checkpoints they stand at
    std::optional<bool> resuming; // what the outer graph says
    Answers* outerAnswers = nullptr; // of the task that this graph runs in
    bool stores = false; // has a checkpointer
    bool streams = false; // its chunks reach the listener
    std::optional<CheckpointId> checkpoint; // start from this one
};

// The checkpoint that a loop's state stands for, and its place in the thread's tree. Written by LoopStart and
// CheckpointSaver.
struct Head {
    CheckpointId id; // made on demand, see LoopState::checkpoint()
    std::int64_t idStep = -2;
    int version = 4;
    checkpoint::CheckpointMetadata metadata;
    std::optional<CheckpointId> saved; // the newest stored one: the next one's parent
    std::optional<CheckpointId> parent; // its parent
    CheckpointId initialId; // what the run started from; empty: made up and not needed
    bool hasStoredParent = false; // there was such a checkpoint
    bool isNew = false; // this run has moved on from it
    bool loadedLatest = false;
    std::shared_ptr<const checkpoint::CheckpointRef> ref; // see LoopState::sharedRef()
};

// The tasks of a superstep, and what was recorded for them before this run or by a Command.
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

    const CheckpointId& checkpoint(); // that `channels` stand for
    const std::shared_ptr<const checkpoint::CheckpointRef>& sharedRef(); // of it
    [[nodiscard]] checkpoint::CheckpointRef refOf(const CheckpointId& id) const;
    const std::string& taskId(Task& task);
    // The channels as the newest stored checkpoint has them; nullopt: there is no checkpoint, or it cannot be
    // read.
    [[nodiscard]] std::optional<GraphState> storedChannels() const;

    [[nodiscard]] Ended flush() const; // all is stored when it returns
    [[nodiscard]] Ended pushSaves() const; // stored, or with durability async on its way
    [[nodiscard]] Ended savesStepEnded() const; // the same, where durability asks for it

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
    std::optional<bool> resuming; // what nested graphs are told

    Head head;
    PlannedTasks tasks;
};

} // namespace sg::engine
