#pragma once

#include "core/agents/agent_messages.h"
#include "core/base/result.h"
#include "core/graph/agent_rules.h"

#include <string>
#include <vector>

// Review of tool calls by a person before they run, with the questions and answers of LangChain's
// HumanInTheLoopMiddleware. All of it is pure.
namespace sg::agents {

using graph::ReviewRule;
using graph::ReviewRules;

// The question of a whole turn, {"action_requests", "review_configs"}, and that of one call.
struct Reviewed {
    ToolCall call;
    const ReviewRule* rule = nullptr;
};
Value batchQuestion(const std::vector<Reviewed>& calls);
Value callQuestion(const Reviewed& call);

struct Decision {
    enum class Kind { Approve, Edit, Reject, Respond };
    Kind kind = Kind::Approve;
    ToolCall edited{}; // for Edit
    Value message{}; // the ToolMessage for Reject and Respond
};
// Errors are in LangChain's words where it has some.
Result<Decision> readDecision(const Value& decision, const Reviewed& call);
// One decision for each call, in order, of {"decisions": […]}.
Result<std::vector<Decision>> readDecisions(const Value& answer, const std::vector<Reviewed>& calls);

// The content of an edited call's result: a note that says what ran, then the result.
Value withEditNotice(const Value& content, const ToolCall& executed);

} // namespace sg::agents
