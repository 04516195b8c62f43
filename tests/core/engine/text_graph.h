#pragma once

#include "core/engine/node_body.h"
#include "core/graph/graph.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace sg::test {

// "start -> a -> b -> end; a -> c; [b, c] -> d": nodes in order of appearance. Channels: log (append), n
// (add), x (last value).
graph::Graph graphFromText(std::string_view text);

using NodeFunction = std::function<engine::NodeOutcome(engine::TaskContext&)>;

// Nodes are functions; one that is not named returns {"log": [its name]}. A branch is named by its setting
// "function", a breakpoint's condition by its program.
class FunctionNodes final : public engine::NodeCatalog {
public:
    FunctionNodes() = default;
    explicit FunctionNodes(std::map<std::string, NodeFunction> functions)
        : m_functions(std::move(functions))
    {
    }
    std::map<std::string, NodeFunction>& functions() { return m_functions; }
    bool blocking = false; // what mayBlock() says

    Result<std::unique_ptr<engine::NodeBody>> makeNode(const graph::Node& node) override;
    Result<std::unique_ptr<engine::NodeBody>> makeBranch(const graph::Branch& branch) override;
    Result<std::unique_ptr<engine::NodeBody>> makeErrorHandler(const graph::Node& node) override;

private:
    std::map<std::string, NodeFunction> m_functions;
};

engine::NodeOutcome returned(Value value);
engine::NodeOutcome failedWith(std::string type, std::string message);
Value json(std::string_view text); // aborts where it is none
graph::Branch branchTo(std::string from, std::string function); // answers with node names

} // namespace sg::test
