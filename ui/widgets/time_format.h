#pragma once

#include <QString>

class QDateTime;

namespace sg::ui {

// Durations: "340 ms", "1.2 s", "42 s", "2 min 31 s", "1 h 05 min"; NaN gives an en dash.
QString formatDuration(double seconds);

// A running clock or a countdown: "0:27:10".
QString formatCountdown(double seconds);

// Times are milliseconds since 1970 UTC, shown in local time; NaN gives an en dash.
QString formatClock(double timeMs); // "14:28:47"
QString formatClockMs(double timeMs); // "14:28:47.200"
QString formatDay(double timeMs,
                  const QDateTime& now); // "today, 14:02", "yesterday, 09:10", "Nov 17", "2024 Nov 17"

} // namespace sg::ui
