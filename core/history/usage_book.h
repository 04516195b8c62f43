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

// Sums up the model calls of a database's threads. A thread is read once, and again when it has changed or
// was dropped after a long time. Prices are read from their file for each question. Any thread may ask;
// questions run one after the other.
class UsageBook {
public:
    // `history` outlives it. An empty `prices` means this user's file.
    UsageBook(History& history, std::filesystem::path database, std::filesystem::path prices = {});
    ~UsageBook();
    UsageBook(const UsageBook&) = delete;
    UsageBook& operator=(const UsageBook&) = delete;

    // `checkpoint` limits the sum to the steps that led to it; empty: the whole thread.
    Result<usage::Roll> of(const ThreadId& thread, std::string_view checkpoint,
                           const std::stop_token& stop = {});
    // Returns the threads with calls, most tokens first. Errc::Cancelled if `stop` was requested.
    Result<std::vector<usage::Sum>> threads(const std::stop_token& stop = {});

    // Calls are priced with these: the rows of the project's prices.json, then this user's.
    Result<usage::Prices> prices() const;
    Result<usage::Prices> ownPrices() const; // this user's alone
    Result<void> keepPrices(const usage::Prices& prices) const;
    [[nodiscard]] const std::filesystem::path& priceFile() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace sg::history
