#pragma once

#include "core/agents/review.h"
#include "core/engine/node_body.h"
#include "core/nodes/agent_toolbox.h"
#include "core/nodes/jq_programs.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sg::nodes {

// Asks a person about an agent's tool calls before they run, as its rules say. Any thread.
class AgentReview {
public:
    // The toolbox must outlive it.
    AgentReview(NodeId agent, agents::ReviewRules rules, std::shared_ptr<JqPrograms> programs,
                AgentToolbox& toolbox);
    AgentReview(const AgentReview&) = delete;
    AgentReview& operator=(const AgentReview&) = delete;

    // The part of the loop in which a person decides on all calls of a turn.
    engine::NodeOutcome ofTurn(engine::TaskContext& task);
    // Returns the outcome of a call that does not run, if each call is decided on its own; nullopt: it runs,
    // as the person has edited `executed`.
    std::optional<engine::NodeOutcome> ofCall(engine::TaskContext& task, const agents::ToolCall& call,
                                              agents::ToolCall& executed);

private:
    [[nodiscard]] Result<bool> isReviewed(const agents::ToolCall& call) const;
    [[nodiscard]] Result<void> checkEdits(const std::vector<agents::Decision>& decisions,
                                          const std::vector<agents::Reviewed>& reviewed) const;
    // The answer to a question; Interrupted: there is none yet.
    template<typename T>
    std::variant<T, engine::Interrupted, engine::Failure>
    decided(engine::TaskContext& task, Value question,
            const std::function<Result<T>(const Value&)>& read) const;

    const NodeId m_agent;
    const agents::ReviewRules m_rules;
    const std::shared_ptr<JqPrograms> m_programs;
    AgentToolbox& m_toolbox;
    std::map<std::string, std::size_t> m_conditions; // by tool; constant after construction
};

} // namespace sg::nodes
