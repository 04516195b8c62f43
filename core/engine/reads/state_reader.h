#pragma once

#include "core/engine/compile/compiled_graph.h"
#include "core/engine/engine.h"
#include "core/engine/state/pending.h"
#include "core/engine/steps/plan.h"
#include "core/engine/steps/task.h"

#include <optional>
#include <string>
#include <vector>

namespace sg::engine {

// Reads a graph's stored states. A subgraph's namespace leads to its graph.
class StateReader {
public:
    StateReader(const CompiledGraph& graph, const Services& services)
        : m_graph(graph)
        , m_services(services)
    {
    }
    Outcome<StateSnapshot> state(const StateAddress& at, bool subgraphs) const;
    std::optional<Failure> history(const HistoryQuery& query,
                                   const std::function<bool(const StateSnapshot&)>& visit) const;

private:
    Outcome<StateSnapshot> snapshot(const CompiledGraph& graph, const checkpoint::CheckpointRecord& stored,
                                    bool subgraphs, bool live) const;
    Outcome<StateSnapshot> latest(const CompiledGraph& graph, const ThreadId& thread,
                                  const std::string& ns) const;

    const CompiledGraph& m_graph;
    const Services& m_services;
};

// The graph that a namespace belongs to (null: there is no such subgraph), and the namespace as it is stored.
struct AddressedGraph {
    const CompiledGraph* graph = nullptr;
    std::string ns;
};
AddressedGraph addressedGraph(const CompiledGraph& root, const std::string& ns);

// A stored checkpoint with its channels loaded, and the tasks that follow it.
struct OpenedState {
    GraphState state;
    std::vector<Task> tasks; // with ids, in declaration order
    std::vector<Pending> pending;
    StepLimits limits;
};
// Needs a record in today's form (see migrate.h).
Outcome<OpenedState> openState(const CompiledGraph& graph, const checkpoint::CheckpointRecord& record,
                               const Services& services);
std::optional<Failure> applyNullWrites(OpenedState& opened, const VersionSource* versions,
                                       ChannelSet& updated);
// Gives finished tasks what they wrote.
void giveFinishedWrites(OpenedState& opened);

} // namespace sg::engine
