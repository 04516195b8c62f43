#pragma once

#include "ui/bridge/rows/usage_rows.h"

#include <stop_token>

namespace sg::history {
class UsageBook;
}

// Token usage of models, and their prices. Blocking, on any thread.
namespace sg::ui {

UsageRows readUsage(history::UsageBook& book, const QString& thread, const QString& checkpoint,
                    const std::stop_token& stop = {});
PriceTable readPrices(const history::UsageBook& book);
// Returns the table as it is stored afterwards; a file that cannot be read is not overwritten.
PriceTable writePrices(const history::UsageBook& book, const PriceTable& wanted);

} // namespace sg::ui
