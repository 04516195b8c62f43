#pragma once

#include "core/engine/node_body.h"
#include "core/graph/graph.h"
#include "tests/fault/journal.h"

#include <cstdint>
#include <memory>

namespace sg::fault {

// A random graph that always ends in the same state, whatever order its tasks finish in and however often it
// is broken off: loops, waiting edges, deferred nodes, Sends, nested graphs, retries, error handlers,
// questions, tasks that block and tasks that do not. Its node settings are what WorkNodes reads.
struct Workflow {
    graph::Graph graph;
    Value input;
};
Workflow randomWorkflow(std::uint64_t seed);

// Makes nodes that tell the journal that they start, take their time, and add a line to the state that
// depends on all they were given.
class WorkNodes final : public engine::NodeCatalog {
public:
    // Null: nothing is noted and no time is taken.
    explicit WorkNodes(Journal* journal)
        : m_journal(journal)
    {
    }
    Result<std::unique_ptr<engine::NodeBody>> makeNode(const graph::Node& node) override;
    Result<std::unique_ptr<engine::NodeBody>> makeBranch(const graph::Branch& branch) override;
    Result<std::unique_ptr<engine::NodeBody>> makeErrorHandler(const graph::Node& node) override;

private:
    Journal* m_journal;
};

// The answer to every question of a node.
inline constexpr const char* kAnswer = "because";

} // namespace sg::fault
