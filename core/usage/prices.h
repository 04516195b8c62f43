#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::usage {

// The price of a million tokens of a model, and when somebody looked it up.
struct Price {
    std::string model; // a name; "gpt-4o*" means all that begin so
    double input = 0;
    double output = 0;
    std::string date{}; // "2026-01-31"
    std::optional<double> cacheRead{}; // tokens read from a cache; absent: as other input
    std::optional<double> cacheWrite{}; // the same of those written to it
};

// `input` holds what was read from and written to a cache, too.
struct Tokens {
    std::int64_t input = 0;
    std::int64_t output = 0;
    std::int64_t cacheRead = 0;
    std::int64_t cacheWrite = 0;
};
double costOf(const Price& price, const Tokens& tokens);

// {"currency": "USD", "models": {"NAME": {"input": 2.5, "output": 10, "cache_read": 0.25, "cache_write": 3,
// "date": "2026-01-31"}}}
struct Prices {
    std::string currency = "USD";
    std::vector<Price> rows; // in the order of the file

    // Returns the model's own row, else the longest pattern that matches.
    [[nodiscard]] const Price* of(std::string_view model) const;
    [[nodiscard]] std::string newestDate() const; // empty: no row has one
};

// A project's own table, as its budgets use it: {"NAME": {"input": 2.5, "output": 10}}, in US dollars.
Result<Prices> parseProjectPrices(std::string_view text);
Result<Prices> loadProjectPrices(const std::filesystem::path& file); // a missing file is an empty table
// The project's rows go before the user's. Tables of another currency are not mixed: then the project's,
// where it has rows, count alone.
Prices joined(Prices project, const Prices& user);

// Returns this user's file: $XDG_CONFIG_HOME/sandglass/prices.json, else ~/.config/sandglass/prices.json.
std::filesystem::path priceFile();
Result<Prices> parsePrices(std::string_view text); // the error says which row is wrong
Result<Prices> loadPrices(const std::filesystem::path& file); // a missing file is an empty table
Result<void> savePrices(const std::filesystem::path& file, const Prices& prices);

} // namespace sg::usage
