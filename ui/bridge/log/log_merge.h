#pragma once

#include "ui/bridge/log/log_query.h"

#include <functional>
#include <vector>

namespace sg::ui {

// What was read of a thread's log, and behind it what came live while it was read and it does not tell: each
// line once. `goesOn`: live lines will still tell the rest of that begun one, and its beginning with it.
std::vector<LogRow> mergedLog(ThreadLog read, const std::vector<LogRow>& live,
                              const std::function<bool(const LogRow& begun)>& goesOn);

} // namespace sg::ui
