#include "core/usage/prices.h"

#include "core/base/file.h"
#include "core/base/json.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace sg::usage {
namespace {

namespace fs = std::filesystem;

constexpr double kPriced = 1e6; // tokens that a price is for
constexpr std::size_t kLongestFile = 4U << 20;

Error wrong(const std::string& model, const std::string& what)
{
    return { Errc::InvalidArgument, "the price of '" + model + "' " + what };
}

std::optional<double> amountOf(const Value& row, const char* name)
{
    const Value* found = row.find(name);
    if (found == nullptr || !(found->isInt() || found->isDouble()))
        return std::nullopt;
    const double amount = found->isInt() ? static_cast<double>(found->asInt()) : found->asDouble();
    return std::isfinite(amount) && amount >= 0 ? std::optional(amount) : std::nullopt;
}

Result<void> readRows(const ValueMap& models, Prices& prices)
{
    for (const auto& [key, row] : models) {
        const std::string model = key.isString() ? key.asString() : toJson(key);
        if (!row.isMap())
            return wrong(model, "is no object with \"input\" and \"output\"");
        const auto input = amountOf(row, "input");
        const auto output = amountOf(row, "output");
        if (!input || !output)
            return wrong(model, "wants \"input\" and \"output\", numbers from 0 on, for a million tokens");
        prices.rows.push_back({ model, *input, *output, row.stringOr("date", ""), amountOf(row, "cache_read"),
                                amountOf(row, "cache_write") });
    }
    return {};
}

Result<Prices> loadedBy(Result<Prices> (*parse)(std::string_view), const fs::path& file)
{
    std::error_code ignored;
    if (file.empty() || !fs::exists(file, ignored))
        return Prices();
    auto text = readFile(file, kLongestFile);
    if (!text)
        return std::move(text.error()).during("read the prices in " + file.string());
    auto prices = parse(*text);
    if (!prices)
        return std::move(prices.error()).during("read the prices in " + file.string());
    return prices;
}

} // namespace

double costOf(const Price& price, const Tokens& tokens)
{
    const auto fresh =
        static_cast<double>(std::max<std::int64_t>(0, tokens.input - tokens.cacheRead - tokens.cacheWrite));
    return (fresh * price.input
            + static_cast<double>(tokens.cacheRead) * price.cacheRead.value_or(price.input)
            + static_cast<double>(tokens.cacheWrite) * price.cacheWrite.value_or(price.input)
            + static_cast<double>(tokens.output) * price.output)
        / kPriced;
}

const Price* Prices::of(std::string_view model) const
{
    const Price* best = nullptr;
    for (const Price& row : rows) {
        if (row.model == model && !model.empty())
            return &row;
        const bool isPattern = row.model.ends_with('*');
        if (isPattern && model.starts_with(std::string_view(row.model).substr(0, row.model.size() - 1))
            && (best == nullptr || best->model.size() < row.model.size()))
            best = &row;
    }
    return model.empty() ? nullptr : best;
}

std::string Prices::newestDate() const
{
    std::string newest;
    for (const Price& row : rows)
        newest = std::max(newest, row.date);
    return newest;
}

fs::path priceFile()
{
    if (const char* config = std::getenv("XDG_CONFIG_HOME");
        config != nullptr && fs::path(config).is_absolute())
        return fs::path(config) / "sandglass/prices.json";
    const char* home = std::getenv("HOME");
    return home == nullptr ? fs::path() : fs::path(home) / ".config/sandglass/prices.json";
}

Result<Prices> parsePrices(std::string_view text)
{
    auto parsed = parseJson(text);
    if (!parsed)
        return Error{ Errc::InvalidArgument, "this is not JSON: " + parsed.error().message };
    if (!parsed->isMap())
        return Error{ Errc::InvalidArgument,
                      "a table of prices is an object with \"currency\" and \"models\"" };
    Prices prices;
    prices.currency = parsed->stringOr("currency", prices.currency);
    const Value* models = parsed->find("models");
    if (models == nullptr)
        return prices;
    if (!models->isMap())
        return Error{ Errc::InvalidArgument, "\"models\" is no object" };
    if (auto read = readRows(models->asMap(), prices); !read)
        return std::move(read.error());
    return prices;
}

Result<Prices> loadPrices(const fs::path& file)
{
    return loadedBy(parsePrices, file);
}

Result<Prices> parseProjectPrices(std::string_view text)
{
    auto parsed = parseJson(text);
    if (!parsed)
        return Error{ Errc::InvalidArgument, "this is not JSON: " + parsed.error().message };
    if (!parsed->isMap())
        return Error{ Errc::InvalidArgument, "a project's prices are an object of models" };
    Prices prices;
    if (auto read = readRows(parsed->asMap(), prices); !read)
        return std::move(read.error());
    return prices;
}

Result<Prices> loadProjectPrices(const fs::path& file)
{
    return loadedBy(parseProjectPrices, file);
}

Prices joined(Prices project, const Prices& user)
{
    if (project.rows.empty())
        return user;
    if (project.currency == user.currency)
        project.rows.insert(project.rows.end(), user.rows.begin(), user.rows.end());
    return project;
}

Result<void> savePrices(const fs::path& file, const Prices& prices)
{
    if (file.empty())
        return Error{ Errc::NotFound,
                      "there is no folder for the prices: neither XDG_CONFIG_HOME nor HOME is set" };
    ValueMap models;
    for (const Price& row : prices.rows) {
        ValueMap made{ { "input", row.input }, { "output", row.output } };
        for (const auto& [key, amount] :
             { std::pair{ "cache_read", row.cacheRead }, std::pair{ "cache_write", row.cacheWrite } })
            if (amount)
                made.set(key, *amount);
        made.set("date", Value(row.date));
        models.set(row.model, Value(std::move(made)));
    }
    std::error_code failed;
    fs::create_directories(file.parent_path(), failed);
    if (failed)
        return Error{ Errc::Io,
                      "the folder " + file.parent_path().string() + " cannot be made: " + failed.message() };
    return writeFileAtomically(
        file,
        toJson(Value::map({ { "currency", Value(prices.currency) }, { "models", Value(std::move(models)) } }),
               JsonStyle::Indented)
            + '\n');
}

} // namespace sg::usage
