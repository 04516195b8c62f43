#pragma once

#include "core/engine/loop/step_execution.h"

namespace sg::engine {

// Runs one graph on the caller's thread: loads a checkpoint, then does supersteps until nothing is left to
// do. RunLoop owns the order of things; planning and folding are functions of its state.
class RunLoop {
public:
    RunLoop(const CompiledGraph& graph, RunContext& run, LoopPlace place, Value input);

    LoopEnd run(); // called once
    [[nodiscard]] Value output() const { return m_output.result(); } // LangGraph's, without interrupts
    [[nodiscard]] const std::vector<RaisedInterrupt>& raisedInterrupts() const
    {
        return m_execution.raised();
    }
    [[nodiscard]] const std::optional<CheckpointId>& head() const { return m_loop.head.saved; }

private:
    Ended tick();
    Ended afterTick();
    void prepareTasks();
    void reapplyFinished();
    bool interruptsAt(const NodeSelection& selection);
    Ended applyTasks(ChannelSet& updated);
    Ended finishInterrupted(const LoopEnd& end);

    Value m_input; // until it runs
    LoopState m_loop;
    DeltaSaving m_deltas;
    LoopOutput m_output;
    CheckpointSaver m_saver;
    ErrorHandling m_errors;
    StepExecution m_execution;
    const NodeSelection m_before;
    const NodeSelection m_after;
    ChannelSet m_updating; // scratch
    std::vector<AppliedTask> m_applied; // scratch
};

} // namespace sg::engine
