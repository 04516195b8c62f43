#include "core/models/chat_budget.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace sg::models {
namespace {

std::string dollars(double amount)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "$%.4f", amount);
    return text.data();
}

ChatFault usedUp(const std::string& what)
{
    return { "BudgetExceededError",
             "the run's budget for chat models is used up: " + what
                 + ". Raise it in the graph's \"llm\" under \"budget\", or start another run",
             false, std::nullopt };
}

} // namespace

Result<PriceTable> PriceTable::parse(std::string_view json)
{
    auto read = usage::parseProjectPrices(json);
    if (!read)
        return std::move(read.error());
    PriceTable table;
    table.m_prices = std::move(*read);
    return table;
}

std::optional<double> PriceTable::cost(const std::string& model, const TokenUse& use) const
{
    const usage::Price* price = m_prices.of(model);
    if (price == nullptr)
        return std::nullopt;
    return usage::costOf(*price, { use.input, use.output, use.cacheRead, use.cacheWrite });
}

ChatBudget::ChatBudget(ChatLimits limits, PriceTable prices, const Clock& clock)
    : m_limits(limits)
    , m_prices(std::move(prices))
    , m_clock(clock)
{
}

std::optional<ChatFault> ChatBudget::refusal(const std::string& model)
{
    const std::lock_guard lock(m_mutex);
    if (!m_began)
        m_began = m_clock.steady();
    if (m_limits.calls && m_calls >= *m_limits.calls)
        return usedUp(std::to_string(m_calls) + " calls of " + std::to_string(*m_limits.calls));
    if (m_limits.tokens && m_tokens >= *m_limits.tokens)
        return usedUp(std::to_string(m_tokens) + " tokens of " + std::to_string(*m_limits.tokens));
    if (m_limits.cost && m_cost >= *m_limits.cost)
        return usedUp(dollars(m_cost) + " of " + dollars(*m_limits.cost));
    if (m_limits.cost && !m_prices.cost(model, {}))
        return ChatFault{ "BudgetExceededError",
                          "the run has a budget of money, and nobody said what \"" + model
                              + "\" costs: name it in the project's prices.json",
                          false, std::nullopt };
    if (m_limits.seconds && m_clock.steady() - *m_began > std::chrono::duration<double>(*m_limits.seconds))
        return usedUp(std::to_string(static_cast<std::int64_t>(*m_limits.seconds)) + " seconds");
    ++m_calls;
    return std::nullopt;
}

std::optional<SteadyTime> ChatBudget::endsAt() const
{
    const std::lock_guard lock(m_mutex);
    if (!m_limits.seconds || !m_began)
        return std::nullopt;
    return *m_began
        + std::chrono::duration_cast<SteadyTime::duration>(std::chrono::duration<double>(*m_limits.seconds));
}

std::optional<double> ChatBudget::spend(const std::string& model, const TokenUse& use)
{
    const std::lock_guard lock(m_mutex);
    m_tokens += use.input + use.output;
    const auto cost = m_prices.cost(model, use);
    m_cost += cost.value_or(0);
    return cost;
}

} // namespace sg::models
