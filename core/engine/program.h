#pragma once

#include "core/base/result.h"
#include "core/engine/node_body.h"
#include "core/graph/graph.h"

#include <memory>

namespace sg::engine {

struct CompiledGraph;

// A graph made ready to run: names are indices, bodies are made. Immutable apart from the node cache it owns,
// which lives as long as the program; may serve many runs at once. Cheap to copy. The catalog must outlive
// it.
class Program {
public:
    explicit Program(std::shared_ptr<const CompiledGraph> graph)
        : m_graph(std::move(graph))
    {
    }
    [[nodiscard]] const CompiledGraph& graph() const { return *m_graph; }

private:
    std::shared_ptr<const CompiledGraph> m_graph;
};

// Errors as LangGraph words them ("Found edge ending at unknown node `x`"); subgraphs are compiled with it.
Result<Program> compile(const graph::Graph& graph, NodeCatalog& catalog);

} // namespace sg::engine
