#pragma once

#include "core/agents/agent_messages.h"
#include "core/base/result.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

// Review of tool calls by a person before they run, with the questions and answers of LangChain's
// HumanInTheLoopMiddleware. All of it is pure.
namespace sg::agents {

struct ReviewRule {
    std::vector<std::string> allowed; // "approve", "edit", "reject", "respond"
    std::string description; // of the question; empty: it is made of the call
    std::string when; // jq over {"name", "args", "id"}: true asks; empty: always
};

struct ReviewRules {
    bool isPerCall = false; // one question a call, else one a turn
    bool raisesWrongAnswers = false; // LangChain's way; else the question is put again
    std::map<std::string, ReviewRule> byTool; // "*": every other tool

    [[nodiscard]] bool isEmpty() const { return byTool.empty(); }
    [[nodiscard]] const ReviewRule* find(const std::string& tool) const;
    // {"mode": "batched" | "per_call", "on_wrong_answer": "ask" | "raise",
    //  "tools": {tool: true | false | {"allowed_decisions", "description", "when"}}}, or null.
    static Result<ReviewRules> read(const Value& value);
};

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
    ToolCall edited; // for Edit
    Value message; // the ToolMessage for Reject and Respond
};
// Errors are in LangChain's words where it has some.
Result<Decision> readDecision(const Value& decision, const Reviewed& call);
// One decision for each call, in order, of {"decisions": […]}.
Result<std::vector<Decision>> readDecisions(const Value& answer, const std::vector<Reviewed>& calls);

// The content of an edited call's result: a note that says what ran, then the result.
Value withEditNotice(const Value& content, const ToolCall& executed);

} // namespace sg::agents
