#pragma once

#include <QString>

namespace sg::ui {

// Sizes of files in decimal units, as file managers show them: "0 B", "980 B", "6.2 kB", "48 kB", "1.1 MB".
QString formatBytes(qint64 bytes);

// Memory in the units that its limits are set in: "188 MiB", "2 GiB", "1.5 GiB".
QString formatMemory(double bytes);

// "503 of 512 MiB"; a limit of 0 means none, then only the use is shown.
QString formatMemoryOf(double used, double limit);

// Groups of three with a thin space: "1 284".
QString formatCount(qint64 count);

} // namespace sg::ui
