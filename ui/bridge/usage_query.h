#pragma once

#include "ui/bridge/usage_rows.h"

#include <stop_token>

namespace sg::workbench {
class UsageBook;
}

// What models took, and the prices. Blocking; any thread.
namespace sg::ui {

UsageRows readUsage(workbench::UsageBook& book, const QString& thread, const QString& checkpoint,
                    const std::stop_token& stop = {});
PriceTable readPrices(const workbench::UsageBook& book);
// And what stands there then; nothing is written over a file that cannot be read.
PriceTable writePrices(const workbench::UsageBook& book, const PriceTable& wanted);

} // namespace sg::ui
