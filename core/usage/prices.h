#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::usage {

// What a million tokens of a model cost, and when somebody looked that up.
struct Price {
    std::string model; // a name; "gpt-4o*": all that begin so
    double input = 0;
    double output = 0;
    std::string date; // "2026-01-31"
};

// {"currency": "USD", "models": {"NAME": {"input": 2.5, "output": 10, "date": "2026-01-31"}}}
struct Prices {
    std::string currency = "USD";
    std::vector<Price> rows; // in the order of the file

    // The model's own row, else the longest pattern that fits.
    [[nodiscard]] const Price* of(std::string_view model) const;
    [[nodiscard]] std::string newestDate() const; // empty: no row has one
};

// This user's: $XDG_CONFIG_HOME/sandglass/prices.json, else ~/.config/sandglass/prices.json.
std::filesystem::path priceFile();
Result<Prices> parsePrices(std::string_view text); // says which row is wrong
Result<Prices> loadPrices(const std::filesystem::path& file); // no file: an empty table
Result<void> savePrices(const std::filesystem::path& file, const Prices& prices);

} // namespace sg::usage
