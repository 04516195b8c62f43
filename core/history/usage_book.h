#pragma once

#include "core/base/result.h"
#include "core/history/history.h"
#include "core/usage/usage_sum.h"

#include <filesystem>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sg::history {

// What models were asked for, of a database's threads. A thread is read once, and again when it has changed
// or was not asked for in a long time; the prices are those of their file at the time of the question. Any
// thread; one question after the other.
class UsageBook {
public:
    // `history` outlives it. `prices`: of this user where empty.
    UsageBook(History& history, std::filesystem::path database, std::filesystem::path prices = {});
    ~UsageBook();
    UsageBook(const UsageBook&) = delete;
    UsageBook& operator=(const UsageBook&) = delete;

    // `checkpoint`: of the steps on the way to it; empty: of the whole thread.
    Result<usage::Roll> of(const ThreadId& thread, std::string_view checkpoint,
                           const std::stop_token& stop = {});
    // Those with calls, most tokens first. Cancelled where `stop` said so.
    Result<std::vector<usage::Sum>> threads(const std::stop_token& stop = {});

    Result<usage::Prices> prices() const;
    Result<void> keepPrices(const usage::Prices& prices) const;
    [[nodiscard]] const std::filesystem::path& priceFile() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace sg::history
