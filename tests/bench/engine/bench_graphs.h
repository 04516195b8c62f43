#pragma once

#include "core/engine/node_body.h"
#include "core/graph/graph.h"

#include <functional>
#include <map>
#include <string>

namespace sg::bench {

using Function = std::function<Value(const Value& input)>;

// Nodes and branches are functions of their input, by name; none blocks.
class Functions final : public engine::NodeCatalog {
public:
    std::map<std::string, Function> functions;

    Result<std::unique_ptr<engine::NodeBody>> makeNode(const graph::Node& node) override;
    Result<std::unique_ptr<engine::NodeBody>> makeBranch(const graph::Branch& branch) override;
    Result<std::unique_ptr<engine::NodeBody>> makeErrorHandler(const graph::Node& node) override;
};

struct Workflow {
    graph::Graph graph;
    Functions nodes;
};

inline constexpr int kWidth = 100; // of W3's fan-out and W7's layers

Workflow counterWorkflow(std::int64_t limit); // W1, W5, W6
Workflow chainWorkflow(); // W2
Workflow fanOutWorkflow(); // W3
Workflow growingWorkflow(std::int64_t limit, bool asChanges); // W4, W4D
Workflow layeredWorkflow(std::int64_t nodes); // W7

} // namespace sg::bench
