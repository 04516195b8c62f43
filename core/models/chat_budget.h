#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/models/chat_reply.h"
#include "core/usage/prices.h"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace sg::models {

// The prices of models, in US dollars for a million tokens, as a project's file "prices.json" says:
//   {"gpt-5*": {"input": 1.25, "output": 10, "cache_read": 0.125, "cache_write": 1.25}, …}
// If the prices for a cache are absent, its tokens cost what others do.
class PriceTable {
public:
    PriceTable() = default;
    static Result<PriceTable> parse(std::string_view json); // Errc::InvalidArgument

    // Returns nullopt if nobody said what that model costs.
    [[nodiscard]] std::optional<double> cost(const std::string& model, const TokenUse& use) const;

private:
    usage::Prices m_prices;
};

// The chat models of one run may use up this together; absent: as much as they like.
struct ChatLimits {
    std::optional<std::int64_t> tokens;
    std::optional<double> cost; // US dollars
    std::optional<std::int64_t> calls;
    std::optional<double> seconds; // from the first call on
};

// Counts what one run uses. Any thread.
class ChatBudget {
public:
    ChatBudget(ChatLimits limits, PriceTable prices, const Clock& clock);

    // Returns what forbids a call of `model` now; nothing: it may be made.
    std::optional<ChatFault> refusal(const std::string& model);
    // Returns when the run's time for models is used up; nullopt: it has all it likes.
    [[nodiscard]] std::optional<SteadyTime> endsAt() const;
    // Returns nullopt if nobody said what that model costs.
    [[nodiscard]] std::optional<double> cost(const std::string& model, const TokenUse& use) const
    {
        return m_prices.cost(model, use);
    }
    // Counts a call's use and returns what it cost; nullopt: nobody said what the model costs.
    std::optional<double> spend(const std::string& model, const TokenUse& use);

private:
    const ChatLimits m_limits;
    const PriceTable m_prices;
    const Clock& m_clock;
    mutable std::mutex m_mutex;
    // Guarded by m_mutex:
    std::int64_t m_tokens = 0;
    std::int64_t m_calls = 0;
    double m_cost = 0;
    std::optional<SteadyTime> m_began;
};

} // namespace sg::models
