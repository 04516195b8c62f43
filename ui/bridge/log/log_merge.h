#pragma once

#include "ui/bridge/log/log_query.h"

#include <functional>
#include <vector>

namespace sg::ui {

// The read log of a thread, followed by the lines that came live meanwhile and are not in it. `goesOn` tells
// whether the rest of an unfinished line will still come live, together with its beginning.
std::vector<LogRow> mergedLog(ThreadLog read, const std::vector<LogRow>& live,
                              const std::function<bool(const LogRow& begun)>& goesOn);

} // namespace sg::ui
