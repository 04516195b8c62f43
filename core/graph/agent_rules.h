#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// An agent's node states reviews, permissions and limits. Validation and the agent read them by the same
// functions; Errc::InvalidArgument names what is wrong. A key that is unknown is refused: one that is
// mistyped would leave the agent without its rule. Keys that begin with "x-" are the user's own.
namespace sg::graph {

// The most that a budget's number may be: a double counts so far without a gap.
inline constexpr std::int64_t kMostBudget = 1'000'000'000'000'000;

struct ReviewRule {
    std::vector<std::string> allowed; // "approve", "edit", "reject", "respond"
    std::string description; // of the question; empty: it is made of the call
    std::string when; // jq over {"name", "args", "id"}: true asks; empty: always
};

inline constexpr const char* kEveryOtherTool = "*";

struct ReviewRules {
    bool isPerCall = false; // one question a call, else one a turn
    bool raisesWrongAnswers = false; // LangChain's way; else the question is put again
    std::map<std::string, ReviewRule> byTool; // kEveryOtherTool: every other one

    [[nodiscard]] bool isEmpty() const { return byTool.empty(); }
    [[nodiscard]] const ReviewRule* find(const std::string& tool) const;
    // {"mode": "batched" | "per_call", "on_wrong_answer": "ask" | "raise",
    //  "tools": {tool: true | false | {"allowed_decisions", "description", "when"}}}, or null.
    static Result<ReviewRules> read(const Value& value);
};

// The things that an agent may use. A list that is absent allows everything of its kind, an empty one
// nothing.
struct Permissions {
    std::optional<std::vector<std::string>> tools;
    std::optional<std::vector<std::string>> datasets;
    std::optional<std::vector<std::string>> hosts; // "api.test", "api.test:8443", "*.test"

    // {"tools": […], "datasets": […], "hosts": […]}, or null.
    static Result<Permissions> read(const Value& value);
};

// The limits of one run of an agent's node; absent: as much as it likes.
struct AgentBudget {
    std::int64_t turns = 100; // calls of the model
    std::optional<std::int64_t> tokens;
    std::optional<double> cost; // US dollars
    std::optional<double> seconds;
    bool endsQuietly = false; // a last message in place of a failure

    // {"turns", "tokens", "cost", "seconds", "then": "fail" | "end"}, or null.
    static Result<AgentBudget> read(const Value& value);
};

} // namespace sg::graph
