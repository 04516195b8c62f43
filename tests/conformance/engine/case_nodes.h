#pragma once

#include "core/engine/node_body.h"
#include "core/expressions/jq_evaluator.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sg::conformance {

// Nodes of a case remember this for the whole case, also when the database is reopened.
struct CaseMemory {
    std::map<std::string, int> runs; // node path → how often its body started
    std::map<std::string, int> failures;
};

Value countsValue(const std::map<std::string, int>& counts);

// Makes the jq nodes, branches and error handlers of a case (README.md).
class CaseNodes final : public engine::NodeCatalog {
public:
    CaseNodes(CaseMemory& memory, std::vector<std::string> programs);
    Result<std::unique_ptr<engine::NodeBody>> makeNode(const graph::Node& node) override;
    Result<std::unique_ptr<engine::NodeBody>> makeBranch(const graph::Branch& branch) override;
    Result<std::unique_ptr<engine::NodeBody>> makeErrorHandler(const graph::Node& node) override;

private:
    CaseMemory& m_memory;
    std::vector<std::string> m_programs;
    std::unique_ptr<expressions::JqEvaluator> m_jq;
};

// A Command from {"update", "goto", "graph", "resume"}, goto being a name, {"__send__"} or a list.
Value caseCommand(const Value& description);

} // namespace sg::conformance
