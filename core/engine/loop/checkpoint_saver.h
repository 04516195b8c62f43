#pragma once

#include "core/checkpoint/source.h"
#include "core/engine/loop/delta_saving.h"
#include "core/engine/loop/loop_output.h"
#include "core/engine/loop/loop_state.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sg::engine {

// CheckpointSaver writes a run to the store: each task's writes when it is done, and a checkpoint after each
// superstep; with durability "exit" it writes only at the end. It works on the loop's thread; saveTask() and
// taskDone() are called under the lock of StepExecution.
class CheckpointSaver {
public:
    CheckpointSaver(LoopState& loop, DeltaSaving& deltas, LoopOutput& output);

    void saveTask(Task& task, const Writes& writes);
    void taskDone(Task& task); // stores what the Companion keeps of it
    void recordNullWrites(Writes writes); // the writes of a Command
    void save(checkpoint::Source source, bool tellsUpdated = true);

    // Both are called when the run has ended. `answerTaken`: a Command's answer was used and is not stored.
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
    Companion::Save m_beside; // stored with the checkpoint of the channels as they are now
    bool m_nullWritesRecorded = false;
    // store() uses the memory of these again:
    std::vector<ValueMap::Entry> m_values;
    std::string m_versionsText;
    std::string m_seenText;
    std::size_t m_blobSize = 1024; // the size of the last checkpoint
};

} // namespace sg::engine
