#pragma once

#include "ui/bridge/rows/usage_rows.h"

#include <stop_token>

namespace sg::history {
class UsageBook;
}

// What models took, and the prices. Blocking; any thread.
namespace sg::ui {

UsageRows readUsage(history::UsageBook& book, const QString& thread, const QString& checkpoint,
                    const std::stop_token& stop = {});
PriceTable readPrices(const history::UsageBook& book);
// And what stands there then; nothing is written over a file that cannot be read.
PriceTable writePrices(const history::UsageBook& book, const PriceTable& wanted);

} // namespace sg::ui
