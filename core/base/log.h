#pragma once

#include <functional>
#include <string>

namespace sg {

enum class LogLevel { Debug, Info, Warning, Error };

// Logs the process's own diagnostics (not a run's log). Any thread. The default sink writes warnings and
// errors to stderr through spdlog, with control characters escaped. app/ may replace it once, before threads
// start (null restores the default).
void logMessage(LogLevel level, const std::string& text);
void setLogSink(std::function<void(LogLevel, const std::string&)> sink);

} // namespace sg
