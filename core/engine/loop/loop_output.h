#pragma once

#include "core/checkpoint/source.h"
#include "core/engine/loop/loop_state.h"
#include "core/engine/out/run_stream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sg::engine {

// LoopOutput shows the loop to others: its result, LangGraph's stream chunks, the events of its checkpoints.
class LoopOutput {
public:
    explicit LoopOutput(LoopState& loop);

    [[nodiscard]] RunStream& stream() { return m_stream; }
    [[nodiscard]] Value result() const; // LangGraph's invoke result, without interrupts

    void noteValues(); // the output as it is now is the newest result
    void emitValues(); // the same, and a chunk
    void showStored(); // a fold failed: the newest result is what the store has
    [[nodiscard]] bool isWritten(const Writes& writes) const; // whether they write an output channel
    [[nodiscard]] bool isChanged(const ChannelSet& updated) const;

    void taskWrote(const Task& task, const Writes& writes, bool cached);
    void stepPlanned(); // emits the checkpoint that the tasks follow
    void stepEnds(); // the tasks' writes go into the next checkpoint
    void checkpointStored(); // its event follows once it is known what comes next
    void announceCheckpoint();

private:
    LoopState& m_loop;
    RunStream m_stream;
    const std::vector<std::int32_t> m_keys; // the output's channels
    std::optional<Value> m_latest; // the newest output, where it cannot be read from the channels later
    bool m_hasLatest = false;
    bool m_unannounced = false; // a stored checkpoint whose event is still to come
    Word<checkpoint::Source> m_announceSource;
    std::vector<NodeId> m_announceAfter;
};

} // namespace sg::engine
