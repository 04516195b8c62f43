#include "ui/bridge/history/usage_query.h"

#include "core/history/usage_book.h"
#include "ui/bridge/rows/row_conversion.h"

namespace sg::ui {

namespace {

UsageRow usageRow(const usage::Sum& sum)
{
    return { text(sum.name),
             sum.calls,
             sum.input,
             sum.output,
             sum.cost.value_or(kUnknown),
             sum.unpriced,
             sum.seconds.value_or(kUnknown) };
}

std::vector<UsageRow> usageRows(const std::vector<usage::Sum>& sums)
{
    std::vector<UsageRow> rows;
    for (const usage::Sum& sum : sums)
        rows.push_back(usageRow(sum));
    return rows;
}

} // namespace

UsageRows readUsage(history::UsageBook& book, const QString& thread, const QString& checkpoint,
                    const std::stop_token& stop)
{
    UsageRows rows;
    rows.thread = thread;
    rows.checkpoint = checkpoint;
    auto prices = book.prices();
    auto roll = book.of(ThreadId(utf8(thread)), utf8(checkpoint), stop);
    if (!roll || !prices) {
        rows.error = userError(roll ? prices.error() : roll.error());
        return rows;
    }
    rows.sum = usageRow(roll->total);
    rows.nodes = usageRows(roll->nodes);
    rows.runs = usageRows(roll->runs);
    rows.models = usageRows(roll->models);
    rows.currency = text(prices->currency);
    rows.priceDate = text(prices->newestDate());
    return rows;
}

PriceTable readPrices(const history::UsageBook& book)
{
    PriceTable table;
    table.file = text(book.priceFile().string());
    auto prices = book.ownPrices();
    if (!prices) {
        table.error = userError(prices.error());
        table.isUnreadable = true;
        return table;
    }
    table.currency = text(prices->currency);
    for (const usage::Price& row : prices->rows)
        table.rows.push_back({ text(row.model), row.input, row.output, text(row.date) });
    return table;
}

PriceTable writePrices(const history::UsageBook& book, const PriceTable& wanted)
{
    PriceTable table = readPrices(book);
    table.edit = wanted.edit;
    if (table.isUnreadable)
        return table;
    usage::Prices prices;
    prices.currency = utf8(wanted.currency);
    const auto before = book.ownPrices();
    for (const PriceRow& row : wanted.rows) {
        usage::Price made{ utf8(row.model), row.input, row.output, utf8(row.date) };
        if (before) // the prices of a cache have no column, and stay
            for (const usage::Price& known : before->rows)
                if (known.model == made.model) {
                    made.cacheRead = known.cacheRead;
                    made.cacheWrite = known.cacheWrite;
                }
        prices.rows.push_back(std::move(made));
    }
    if (auto kept = book.keepPrices(prices); !kept) {
        table = wanted;
        table.error = userError(kept.error());
        return table;
    }
    table = readPrices(book);
    table.edit = wanted.edit;
    return table;
}

} // namespace sg::ui
