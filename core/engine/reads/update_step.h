#pragma once

#include "core/checkpoint/source.h"
#include "core/engine/out/checkpoint_chunk.h"
#include "core/engine/reads/state_reader.h"
#include "core/engine/steps/writers.h"

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sg {
class Uuid6Source;
}

namespace sg::engine {

struct NamedUpdate {
    StateUpdate update;
    std::optional<std::string> taskId; // the copied checkpoint's task that it replaces
};

// One superstep of updates on one checkpoint, as update_state of LangGraph 1.2 does it. It is used once, by
// one thread; its arguments outlive it.
class UpdateStep {
public:
    UpdateStep(const CompiledGraph& graph, const Services& services, Uuid6Source& ids, StateAddress at,
               bool isFirst)
        : m_graph(graph)
        , m_services(services)
        , m_ids(ids)
        , m_at(std::move(at))
        , m_isFirst(isFirst)
        , m_versions(&services.random)
        , m_opened{ GraphState(graph, services.random), {}, {}, { 0, 1 } }
    {
    }

    // Returns the checkpoint that the updates make. A failure leaves the thread's head as it was.
    Outcome<SnapshotConfig> run(const std::vector<NamedUpdate>& updates);

private:
    struct Update {
        std::int32_t node = -1;
        std::string id;
        Writes writes;
    };
    std::optional<Failure> open();
    Outcome<SnapshotConfig> clearTasks();
    Outcome<SnapshotConfig> actAsInput(const Value& values);
    Outcome<SnapshotConfig> copy(const Value& values);
    Outcome<SnapshotConfig> updateAsNodes(const std::vector<NamedUpdate>& updates);
    Outcome<SnapshotConfig> updateCopy(const CheckpointId& copied, const ValueList& items);
    Outcome<std::string> inferNode() const;
    std::optional<Failure> addTask(const NamedUpdate& update, const std::string& node,
                                   std::deque<Update>& tasks,
                                   std::vector<std::pair<std::int32_t, std::string>>& prepared);
    std::optional<Failure> storeOnBase(const std::string& taskId, const std::string& path,
                                       const Writes& writes);
    Outcome<SnapshotConfig> put(checkpoint::Source source, std::int64_t step, std::int64_t idStep,
                                const std::vector<std::int32_t>& updatedDeltas);
    std::string baseId();
    [[nodiscard]] std::int64_t step() const { return m_record ? m_record->metadata.step : -1; }

    const CompiledGraph& m_graph;
    const Services& m_services;
    Uuid6Source& m_ids;
    const StateAddress m_at;
    const bool m_isFirst;
    const VersionSource m_versions;
    std::optional<checkpoint::CheckpointRecord> m_record;
    bool m_superseded = false;
    OpenedState m_opened;
    std::vector<Version> m_storedDeltas;
    std::vector<std::int32_t> m_forced; // deltas that the new checkpoint must hold as whole values
    std::string m_freshId;
};

Failure invalidUpdate(std::string message);
Failure storeError(const Error& error);

} // namespace sg::engine
