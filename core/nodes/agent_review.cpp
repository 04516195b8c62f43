#include "core/nodes/agent_review.h"

#include "core/agents/agent_loop.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/nodes/agent_tools.h"
#include "core/nodes/jq_node.h"

#include <utility>

namespace sg::nodes {

using agents::ToolCall;
using engine::Failure;
using engine::NodeOutcome;
using engine::TaskContext;

AgentReview::AgentReview(NodeId agent, agents::ReviewRules rules, std::shared_ptr<JqPrograms> programs,
                         AgentToolbox& toolbox)
    : m_agent(std::move(agent))
    , m_rules(std::move(rules))
    , m_programs(std::move(programs))
    , m_toolbox(toolbox)
{
    for (const auto& [tool, rule] : m_rules.byTool)
        if (!rule.when.empty())
            m_conditions[tool] = m_programs->add(rule.when);
}

Result<bool> AgentReview::isReviewed(const ToolCall& call) const
{
    if (m_rules.find(call.name) == nullptr)
        return false;
    auto condition = m_conditions.find(call.name);
    if (condition == m_conditions.end() && !m_rules.byTool.contains(call.name))
        condition = m_conditions.find("*");
    if (condition == m_conditions.end())
        return true;
    auto said = m_programs->evaluate(condition->second, agents::toValue(call));
    if (!said)
        return std::move(said.error());
    return !said->isNull() && *said != Value(false);
}

// A wrong answer is told to the person with the same question, unless the agent has LangChain's way.
template<typename T>
std::variant<T, engine::Interrupted, Failure>
AgentReview::decided(TaskContext& task, Value question,
                     const std::function<Result<T>(const Value&)>& read) const
{
    while (true) {
        auto answer = task.interrupt(question);
        if (!answer)
            return engine::Interrupted{};
        auto decision = read(*answer);
        if (decision)
            return std::move(*decision);
        if (m_rules.raisesWrongAnswers)
            return engine::failed("ValueError", decision.error().message);
        task.log(TaskContext::Stream::Event, "the answer was not taken: " + decision.error().message);
        question.editMap().set("error", decision.error().message);
    }
}

// An edit that names no tool would be stored, and the call would fail whenever the thread goes on. LangChain
// has it so.
Result<void> AgentReview::checkEdits(const std::vector<agents::Decision>& decisions,
                                     const std::vector<agents::Reviewed>& reviewed) const
{
    if (m_rules.raisesWrongAnswers)
        return {};
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        const std::string& name = decisions[i].edited.name;
        if (decisions[i].kind == agents::Decision::Kind::Edit && name != reviewed[i].call.name
            && m_toolbox.find(name) == nullptr)
            return Error{ Errc::InvalidArgument,
                          "an edit names the tool '" + name + "', and " + m_toolbox.noSuchTool(name) };
    }
    return {};
}

NodeOutcome AgentReview::ofTurn(TaskContext& task)
{
    const agents::LastTurn turn = agents::lastTurn(agents::messagesOf(task.input()));
    std::vector<agents::Reviewed> reviewed;
    if (!m_rules.isPerCall)
        for (const Value& each : turn.calls)
            if (auto call = agents::asToolCall(each)) {
                const auto asks = isReviewed(*call);
                if (!asks)
                    return jqFailure(asks.error());
                if (*asks)
                    reviewed.push_back({ *call, m_rules.find(call->name) });
            }
    if (reviewed.empty()) {
        const Value& edits = task.input()[agents::kEditsChannel];
        if (m_rules.isPerCall || turn.calls.empty() || !edits.isMap() || edits.asMap().empty())
            return engine::Returned{ Value() };
        return engine::Returned{ Value::map({ { agents::kEditsChannel, Value(ValueMap()) } }) };
    }
    CallContext asAgent(task, m_agent, task.input());
    if (auto failed = m_toolbox.load(asAgent))
        return *std::move(failed);
    using Decisions = std::vector<agents::Decision>;
    auto answer = decided<Decisions>(task, agents::batchQuestion(reviewed), [&](const Value& given) {
        auto decisions = agents::readDecisions(given, reviewed);
        if (auto fit = decisions ? checkEdits(*decisions, reviewed) : Result<void>(); !fit)
            decisions = std::move(fit.error());
        return decisions;
    });
    if (auto* failure = std::get_if<Failure>(&answer))
        return std::move(*failure);
    if (std::holds_alternative<engine::Interrupted>(answer))
        return engine::Interrupted{};
    const auto& decisions = std::get<Decisions>(answer);
    ValueList messages;
    if (auto said = checkpoint::makeMessage(turn.ai.asMap()))
        messages.push_back(std::move(*said));
    ValueMap edits;
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        if (!decisions[i].message.isNull())
            messages.push_back(decisions[i].message);
        if (decisions[i].kind == agents::Decision::Kind::Edit)
            edits.set(
                reviewed[i].call.id,
                Value::map({ { "name", decisions[i].edited.name }, { "args", decisions[i].edited.args } }));
    }
    return engine::Returned{ Value::map(
        { { "messages", Value(std::move(messages)) }, { agents::kEditsChannel, Value(std::move(edits)) } }) };
}

std::optional<NodeOutcome> AgentReview::ofCall(TaskContext& task, const ToolCall& call, ToolCall& executed)
{
    if (!m_rules.isPerCall)
        return std::nullopt;
    const auto asks = isReviewed(call);
    if (!asks)
        return jqFailure(asks.error());
    if (!*asks)
        return std::nullopt;
    const agents::Reviewed reviewed{ call, m_rules.find(call.name) };
    auto answer = decided<agents::Decision>(task, agents::callQuestion(reviewed), [&](const Value& said) {
        auto decision = agents::readDecision(said, reviewed);
        if (decision && decision->kind == agents::Decision::Kind::Edit && decision->edited.name != call.name)
            decision =
                Error{ Errc::InvalidArgument, "an edit keeps the tool: its name is '" + call.name + "'" };
        return decision;
    });
    if (auto* failure = std::get_if<Failure>(&answer))
        return std::move(*failure);
    if (std::holds_alternative<engine::Interrupted>(answer))
        return engine::Interrupted{};
    auto& decision = std::get<agents::Decision>(answer);
    if (!decision.message.isNull())
        return engine::Returned{ Value::map({ { "messages", Value::list({ decision.message }) } }) };
    if (decision.kind == agents::Decision::Kind::Edit)
        executed = std::move(decision.edited);
    return std::nullopt;
}

} // namespace sg::nodes
