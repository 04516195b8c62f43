#pragma once

#include "ui/bridge/rows/rows.h"

#include <QPixmap>

#include <vector>

namespace sg::ui {

// What hangs under the pointer: the first artifact's thumbnail (or its icon) on a sheet, sheets behind it for
// more, a count, and its name with the size of all.
QPixmap dragPicture(const std::vector<ArtifactRow>& artifacts, const QPixmap& thumbnail, double scale);

} // namespace sg::ui
