#pragma once

#include "core/engine/loop/checkpoint_saver.h"

#include <optional>
#include <vector>

namespace sg::engine {

// LoopStart decides how a run begins: which checkpoint it loads, whether it goes on from there or takes a new
// input, and which pending writes it keeps. It is used once.
class LoopStart {
public:
    LoopStart(LoopState& loop, DeltaSaving& deltas, CheckpointSaver& saver, LoopOutput& output, Value input);

    Ended load();
    Ended begin(); // after load()

private:
    Ended loadRecord(std::optional<checkpoint::CheckpointRecord>& record);
    void adopt(checkpoint::CheckpointRecord record);
    void decide();
    Ended companionBegins();
    Ended takeCommand();
    Ended writesOfGoto(Writes& writes);
    Ended applyNullWrites();
    void fork();
    Ended applyInput();
    void tellNested(const std::optional<CheckpointId>& grandparent, bool wasBranchPoint);
    [[nodiscard]] bool isSameRunAsStored() const;

    LoopState& m_loop;
    DeltaSaving& m_deltas;
    CheckpointSaver& m_saver;
    LoopOutput& m_output;
    const Value m_input;
    const std::optional<checkpoint::CommandView> m_command; // what the input is, if it is one
    std::vector<Pending> m_carried; // a Command's writes that a fork takes with it
    bool m_superseded = false; // the thread has moved past the addressed checkpoint
    bool m_forks = false;
    bool m_timeTravels = false;
    bool m_isResuming = false;
};

} // namespace sg::engine
