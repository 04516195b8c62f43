#pragma once

#include "ui/bridge/rows/rows.h"

#include <QPixmap>

#include <vector>

namespace sg::ui {

// The picture under the pointer during a drag: the first artifact's thumbnail or icon on a sheet, more sheets
// behind it for several, their count, and its name with the total size.
QPixmap dragPicture(const std::vector<ArtifactRow>& artifacts, const QPixmap& thumbnail, double scale);

} // namespace sg::ui
