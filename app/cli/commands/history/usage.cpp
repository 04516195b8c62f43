#include "app/cli/commands/commands.h"
#include "app/cli/project_option.h"
#include "core/base/clock.h"
#include "core/history/usage_book.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <optional>

namespace sg::cli {
namespace {

struct Arguments {
    PlaceOption place;
    std::string thread;
    std::string checkpoint;
};

struct PriceArguments {
    std::string model;
    std::optional<double> input;
    std::optional<double> output;
    std::string date;
    std::string currency;
    bool isRemoved = false;
};

Value documentOf(const usage::Sum& sum)
{
    return Value::map({ { "name", Value(sum.name) },
                        { "calls", sum.calls },
                        { "input_tokens", sum.input },
                        { "output_tokens", sum.output },
                        { "cost", sum.cost ? Value(*sum.cost) : Value() },
                        { "unpriced_calls", sum.unpriced },
                        { "seconds", sum.seconds ? Value(*sum.seconds) : Value() } });
}

Value documentOf(const std::vector<usage::Sum>& sums)
{
    ValueList list;
    for (const usage::Sum& sum : sums)
        list.push_back(documentOf(sum));
    return Value(std::move(list));
}

std::string figure(const char* form, double number)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), form, number);
    return text.data();
}

std::string costOf(const usage::Sum& sum, const std::string& currency)
{
    if (!sum.cost)
        return "–";
    const std::string cost = currency + ' ' + figure("%.4f", *sum.cost);
    return sum.unpriced == 0 ? cost : cost + " and " + counted(sum.unpriced, "call") + " without a price";
}

std::string lineOf(const usage::Sum& sum, const std::string& currency)
{
    return padded(sum.name.empty() ? "–" : sum.name, 24) + "  " + counted(sum.calls, "call") + "  "
        + std::to_string(sum.input) + " in  " + std::to_string(sum.output) + " out  " + costOf(sum, currency)
        + "  " + (sum.seconds ? figure("%.1f s", *sum.seconds) : "–");
}

void print(const std::string& title, const std::vector<usage::Sum>& sums, const std::string& currency,
           const Output& out)
{
    if (sums.empty())
        return;
    out.text(title);
    for (const usage::Sum& sum : sums)
        out.text("  " + lineOf(sum, currency));
}

int show(const Arguments& arguments, const Output& out)
{
    if (!arguments.checkpoint.empty() && arguments.thread.empty())
        return out.fail(Usage, "--checkpoint wants its --thread");
    auto database = arguments.place.openDatabase();
    if (!database)
        return out.fail(database.error());
    const auto asked = arguments.thread.empty() ? std::nullopt : std::optional(ThreadId(arguments.thread));
    if (const auto here = (*database)->store().bringHere(asked); !here)
        return out.fail(here.error());
    history::UsageBook book((*database)->history(), (*database)->file());
    auto prices = book.prices();
    if (!prices)
        return out.fail(prices.error());
    if (arguments.thread.empty()) {
        auto sums = book.threads();
        if (!sums)
            return out.fail(sums.error());
        if (out.json)
            out.document(
                Value::map({ { "currency", Value(prices->currency) }, { "threads", documentOf(*sums) } }));
        print("threads", *sums, prices->currency, out);
        if (sums->empty())
            out.note("no message in " + (*database)->name() + " tells of tokens");
        return Done;
    }
    const ThreadId thread(arguments.thread);
    if (const auto known = (*database)->history().checkpoints(thread, "", 1); known && known->empty())
        if (const auto state = (*database)->history().state(thread, ""); !state) // which says what there is
            return out.fail(state.error());
    auto roll = book.of(thread, arguments.checkpoint);
    if (!roll)
        return out.fail(roll.error());
    roll->total.name = arguments.thread;
    if (out.json) {
        out.document(Value::map({ { "currency", Value(prices->currency) },
                                  { "prices_of", Value(prices->newestDate()) },
                                  { "total", documentOf(roll->total) },
                                  { "nodes", documentOf(roll->nodes) },
                                  { "runs", documentOf(roll->runs) },
                                  { "models", documentOf(roll->models) } }));
        return Done;
    }
    print("thread", { roll->total }, prices->currency, out);
    print("nodes", roll->nodes, prices->currency, out);
    print("runs", roll->runs, prices->currency, out);
    print("models", roll->models, prices->currency, out);
    return Done;
}

std::string today()
{
    return isoTime(SystemClock().now()).substr(0, 10);
}

int listPrices(const std::filesystem::path& file, const usage::Prices& prices, const Output& out)
{
    if (out.json) {
        ValueList rows;
        for (const usage::Price& row : prices.rows)
            rows.push_back(Value::map({ { "model", Value(row.model) },
                                        { "input", row.input },
                                        { "output", row.output },
                                        { "date", Value(row.date) } }));
        out.document(Value::map({ { "file", Value(file.string()) },
                                  { "currency", Value(prices.currency) },
                                  { "models", Value(std::move(rows)) } }));
        return Done;
    }
    for (const usage::Price& row : prices.rows)
        out.text(padded(row.model, 24) + "  " + figure("%g", row.input) + " in  " + figure("%g", row.output)
                 + " out  " + prices.currency + " for a million tokens  " + row.date);
    out.note(prices.rows.empty() ? "no prices in " + file.string() : file.string());
    return Done;
}

int price(const PriceArguments& arguments, const Output& out)
{
    const std::filesystem::path file = usage::priceFile();
    auto prices = usage::loadPrices(file);
    if (!prices)
        return out.fail(prices.error());
    const auto row = std::ranges::find(prices->rows, arguments.model, &usage::Price::model);
    const bool isSet = arguments.input || arguments.output;
    if (!arguments.currency.empty())
        prices->currency = arguments.currency;
    if (arguments.model.empty()) {
        if (isSet || arguments.isRemoved)
            return out.fail(Usage, "say which MODEL");
    } else if (arguments.isRemoved) {
        if (row == prices->rows.end())
            return out.fail(Usage, "there is no price of '" + arguments.model + "'");
        prices->rows.erase(row);
    } else if (!arguments.input || !arguments.output) {
        return out.fail(Usage, "a price is --input and --output, for a million tokens");
    } else {
        usage::Price made{ arguments.model, *arguments.input, *arguments.output,
                           arguments.date.empty() ? today() : arguments.date };
        if (row != prices->rows.end()) { // the prices of a cache have no option, and stay
            made.cacheRead = row->cacheRead;
            made.cacheWrite = row->cacheWrite;
        }
        if (row == prices->rows.end())
            prices->rows.push_back(made);
        else
            *row = made;
    }
    if (!arguments.model.empty() || !arguments.currency.empty())
        if (auto kept = usage::savePrices(file, *prices); !kept)
            return out.fail(kept.error());
    return listPrices(file, *prices, out);
}

} // namespace

void addUsage(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb =
        app.add("usage", "tokens, cost and time of the models that threads asked, from their messages");
    verb.footer("Prices are this user's own table, with the date at which each was looked up; a model "
                "without a price\n"
                "costs '–', never 0.");
    arguments->place.add(verb);
    verb.option("--thread", arguments->thread, "by node, run and model (default: all threads)");
    verb.option("--checkpoint", arguments->checkpoint, "of the steps on the way to it alone");
    const auto given = std::make_shared<PriceArguments>();
    Verb prices = verb.add("price", "list the prices, or set one: for a million tokens");
    prices.option("MODEL", given->model, "name; NAME*: all that begin so");
    prices.option("--input", given->input, "of what is sent").within(0.0, 1e9);
    prices.option("--output", given->output, "of what is answered").within(0.0, 1e9);
    prices.option("--date", given->date, "when it was looked up (default: today)");
    prices.option("--currency", given->currency, "of all prices");
    prices.flag("--remove", given->isRemoved, "take it out of the table");
    prices.onRun([given, &shell] { shell.exit = price(*given, shell.out); });
    verb.onRun([arguments, prices, verb, &shell] {
        if (!verb.hasVerb())
            shell.exit = show(*arguments, shell.out);
    });
}

} // namespace sg::cli
