#pragma once

#include "core/engine/loop/loop_state.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sg::engine {

// DeltaSaving looks after channels that are stored as changes, on the loop's thread: it decides when a
// checkpoint must hold a whole value, and keeps the writes that a run with durability exit stores at its end.
class DeltaSaving {
public:
    explicit DeltaSaving(LoopState& loop);

    // These are called when the run starts: with the stored counters ({channel: [updates, supersteps] since
    // its snapshot}), when the channels are loaded, and for the pending writes, which tasks get back or not.
    void takeCounters(ValueMap counters) { m_counters = std::move(counters); }
    void noteStored(); // the channels are stored as they are now
    void takePending(bool givesBack);
    void takeCommand(const Writes& writes); // the input's writes, recorded on the loaded checkpoint

    // These are called during a superstep.
    void gaveBack(const std::string& taskId) { m_reappliedTasks.push_back(taskId); }
    void beforeFold();
    void afterFold(); // the writes of a failed fold are not stored at the exit
    void countStep(bool tellsUpdated);

    // These say which channels a checkpoint holds as whole values.
    void force(const std::vector<std::int32_t>& channels);
    std::vector<std::int32_t> takeSnapshots();
    void tellCounters(ValueMap& metadata) const; // leaves it as it is if there are no counters
    // Stores on the checkpoint that the run started from, or on an empty one made for it.
    void saveAtExit();

private:
    struct ExitWrite {
        std::int64_t step;
        std::string taskId;
        std::string path;
        Write write;
    };
    void force(std::int32_t channel);
    void storeFirstCheckpoint();

    LoopState& m_loop;
    std::vector<std::int32_t> m_forced;
    std::vector<Version> m_stored; // versions at the last save, by place in graph.deltas
    ValueMap m_counters;
    std::vector<Pending> m_resumeLoaded; // loaded writes whose tasks may not get them back
    std::vector<std::string> m_reappliedTasks;
    std::vector<ExitWrite> m_exitWrites;
    std::vector<Write> m_exitCommandWrites;
    std::optional<std::int64_t> m_exitFirstStep;
    std::vector<std::pair<std::string, std::int32_t>>
        m_storedWrites; // task, channel: on the loaded checkpoint
};

} // namespace sg::engine
