#pragma once

#include "core/base/result.h"
#include "core/engine/node_body.h"
#include "core/graph/graph.h"

#include <memory>

namespace sg::engine {

struct CompiledGraph;

// A graph made ready to run: names are indices, bodies are made. Except for its node cache it is immutable,
// and may serve many runs at once. Copies are cheap. The catalog must outlive it.
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

// Compiles the graph and its subgraphs. Errors are LangGraph's ("Found edge ending at unknown node `x`").
Result<Program> compile(const graph::Graph& graph, NodeCatalog& catalog);

} // namespace sg::engine
