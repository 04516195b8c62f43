#pragma once

#include "core/engine/loop/delta_saving.h"
#include "core/engine/loop/loop_output.h"
#include "core/engine/loop/loop_state.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sg::engine {

// CheckpointSaver writes a run to the store: each task's writes when it is done, and a checkpoint after each
// superstep; with durability "exit" it writes only at the end. On the loop's thread, saveTask() and
// taskDone() under the lock of StepExecution.
class CheckpointSaver {
public:
    CheckpointSaver(LoopState& loop, DeltaSaving& deltas, LoopOutput& output);

    void saveTask(Task& task, const Writes& writes);
    void taskDone(Task& task); // what stands beside its state
    void recordNullWrites(Writes writes); // of a Command
    void save(const char* source, bool tellsUpdated = true);

    // The run has ended; `answerTaken`: a Command's answer was used, and is not kept.
    void saveAtExit(bool answerTaken);
    void saveCompanionAtEnd(const LoopEnd& end);

private:
    void store(const std::vector<std::int32_t>& snapshots, bool tellsUpdated);
    void addEncoded(const std::string& timestamp, const std::vector<std::string_view>* updated);
    [[nodiscard]] checkpoint::CheckpointMetadata metadataOfCaller() const; // and our own
    void saveExitPending(bool answerTaken);

    LoopState& m_loop;
    DeltaSaving& m_deltas;
    LoopOutput& m_output;
    Companion::Save m_beside; // goes with the checkpoint that the channels stand for, once that is stored
    bool m_nullWritesRecorded = false;
    // Scratch of store():
    std::vector<ValueMap::Entry> m_values;
    std::string m_versionsText;
    std::string m_seenText;
    std::size_t m_blobSize = 1024; // of the checkpoint before
};

} // namespace sg::engine
