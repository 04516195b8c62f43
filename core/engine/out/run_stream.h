#pragma once

#include "core/engine/out/run_context.h"
#include "core/engine/state/graph_state.h"
#include "core/engine/state/pending.h"
#include "core/engine/steps/task.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sg::engine {

// Builds LangGraph's stream chunks for one graph of a run and publishes those that somebody asked for.
class RunStream {
public:
    RunStream(const CompiledGraph& graph, RunContext& run, std::string ns, bool active);

    [[nodiscard]] bool wants(StreamMode mode) const { return m_active && m_run.streams(mode); }
    // The "debug" stream carries the chunks of "checkpoints" and "tasks", too.
    [[nodiscard]] bool wantsDetail(StreamMode mode) const { return wants(mode) || wants(StreamMode::Debug); }
    void emit(StreamMode mode, Value data);
    void emitDetail(StreamMode mode, const Value& data, const char* type, std::int64_t step);
    void emitCustom(Value data);
    void emitMessage(Value message, Value metadata);

    // LangGraph runs a superstep's only task in place, and what that task streams waits until the superstep
    // has ended: where its writes cannot be applied, nobody sees it. Streams of nested graphs, of custom
    // chunks and of messages wait for nothing. Held chunks come out by release(), in order.
    void holdLoneTask();
    void release();
    void dropHeld();

    void taskStarts(const Task& task, std::int64_t step);
    // Emits, after a task's writes were recorded, `updates` or its interrupts, then `tasks`.
    void taskWrote(const Task& task, const Writes& writes, bool cached,
                   const std::vector<std::int32_t>& outputKeys, const std::function<Value()>& currentValues,
                   std::int64_t step);

private:
    void emitUpdates(const Task& task, const Writes& writes, bool cached,
                     const std::vector<std::int32_t>& outputKeys);
    void emitInterrupts(const Writes& writes, const std::function<Value()>& currentValues);

    const CompiledGraph& m_graph;
    RunContext& m_run;
    const std::string m_ns;
    const bool m_active;
    bool m_holding = false;
    std::vector<StreamChunk> m_held;
};

// Returns {channel: value}; a channel that was written more than once gives {"$writes": […]}.
Value resultOf(const CompiledGraph& graph, const Writes& writes, const std::vector<std::int32_t>& keys);
// Returns [{"value", "id"}] for Interrupt values.
ValueList plainInterrupts(const ValueList& interrupts);

} // namespace sg::engine
