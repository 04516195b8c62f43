#pragma once

#include "core/engine/node_body.h"
#include "core/graph/graph.h"

#include <functional>
#include <map>
#include <string>

namespace sg::bench {

using Function = std::function<Value(const Value& input)>;

// Nodes and branches are functions of their input, by name.
class Functions final : public engine::NodeCatalog {
public:
    std::map<std::string, Function> functions;
    bool mayBlock = false;

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
Workflow jqCounterWorkflow(std::int64_t limit, const std::string& helper); // the same in jq
Workflow chainWorkflow(); // W2
Workflow fanOutWorkflow(); // W3
Workflow growingWorkflow(std::int64_t limit, bool asChanges); // W4, W4D
Workflow layeredWorkflow(std::int64_t nodes); // W7

} // namespace sg::bench
