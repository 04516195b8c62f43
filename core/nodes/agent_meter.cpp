#include "core/nodes/agent_meter.h"

#include "core/base/json.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/models/chat_budget.h"
#include "core/models/token_estimate.h"

#include <utility>

namespace sg::nodes {
namespace {

// The namespace of the agent's own task, for one of a task in its loop.
std::string outerNamespace(const std::string& ns)
{
    const std::size_t end = ns.rfind('|');
    return end == std::string::npos ? std::string() : ns.substr(0, end);
}

} // namespace

AgentMeter::AgentMeter(graph::AgentBudget budget, std::shared_ptr<const models::ModelDesk> desk)
    : m_budget(std::move(budget))
    , m_desk(std::move(desk))
{
}

void AgentMeter::begin(const std::string& ns, std::shared_ptr<const std::set<std::string>> given)
{
    const std::lock_guard lock(m_mutex);
    m_works[ns] = { std::move(given), std::chrono::steady_clock::now() };
}

void AgentMeter::end(const std::string& ns)
{
    const std::lock_guard lock(m_mutex);
    m_works.erase(ns);
}

AgentMeter::Work AgentMeter::workOf(const std::string& ns) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_works.find(outerNamespace(ns));
    if (found != m_works.end())
        return found->second;
    return { std::make_shared<const std::set<std::string>>(), std::chrono::steady_clock::now() };
}

AgentMeter::Spent AgentMeter::spentIn(const ValueList& messages, const Work& work,
                                      const models::ChatRequest& request) const
{
    Spent spent;
    std::int64_t before = models::estimatedTokens(request.schema);
    for (const Value& message : request.messages) // what stands before them: the system's prompt
        before += models::estimatedTokens(message);
    for (const models::ChatTool& tool : request.tools)
        before += models::textTokens(tool.description) + models::textTokens(toJson(tool.parameters));
    for (const Value& each : messages) {
        const auto read = checkpoint::asMessage(each);
        const Value message = read ? *read : Value();
        const std::int64_t size = models::estimatedTokens(message);
        const std::int64_t asked = std::exchange(before, before + size);
        if (message.stringOr("type", "") != "ai" || work.given->contains(message.stringOr("id", "")))
            continue;
        ++spent.turns;
        const Value& told = message["usage_metadata"];
        models::TokenUse use{ told.intOr("input_tokens", 0), told.intOr("output_tokens", 0),
                              told["input_token_details"].intOr("cache_read", 0),
                              told["input_token_details"].intOr("cache_creation", 0) };
        std::int64_t total = told.intOr("total_tokens", use.input + use.output);
        if (!told.isMap()) {
            use = { asked, size };
            total = asked + size;
            spent.isEstimated = true;
        }
        spent.tokens += total;
        if (m_budget.cost)
            spent.cost += m_desk->budget->cost(request.model, use).value_or(0);
    }
    return spent;
}

std::optional<std::string> AgentMeter::usedUp(const Spent& spent, const Work& work) const
{
    const std::string how = spent.isEstimated ? ", estimated: the server counts none" : "";
    if (spent.turns >= m_budget.turns)
        return "run limit (" + std::to_string(spent.turns) + "/" + std::to_string(m_budget.turns) + ")";
    if (m_budget.tokens && spent.tokens >= *m_budget.tokens)
        return "tokens (" + std::to_string(spent.tokens) + "/" + std::to_string(*m_budget.tokens) + how + ")";
    if (m_budget.cost && spent.cost >= *m_budget.cost)
        return "cost ($" + std::to_string(spent.cost) + "/$" + std::to_string(*m_budget.cost)
            + (spent.isEstimated ? "; the tokens are estimated: the server counts none" : "") + ")";
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - work.began;
    if (m_budget.seconds && took.count() >= *m_budget.seconds)
        return "seconds (" + std::to_string(static_cast<std::int64_t>(took.count())) + "/"
            + std::to_string(static_cast<std::int64_t>(*m_budget.seconds)) + ")";
    return std::nullopt;
}

} // namespace sg::nodes
