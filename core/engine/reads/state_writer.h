#pragma once

#include "core/engine/compile/compiled_graph.h"
#include "core/engine/engine.h"
#include "core/engine/reads/state_reader.h"

#include <vector>

namespace sg {
class Uuid6Source;
}

namespace sg::engine {

// Changes a thread's state from outside, as update_state and bulk_update_state do.
class StateWriter {
public:
    StateWriter(const CompiledGraph& graph, const Services& services, Uuid6Source& ids)
        : m_graph(graph)
        , m_services(services)
        , m_ids(ids)
    {
    }
    Outcome<SnapshotConfig> update(const StateAddress& at,
                                   const std::vector<std::vector<StateUpdate>>& steps);

private:
    const CompiledGraph& m_graph;
    const Services& m_services;
    Uuid6Source& m_ids;
};

} // namespace sg::engine
