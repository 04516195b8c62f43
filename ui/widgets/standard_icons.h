#pragma once

#include "ui/widgets/palette.h"

#include <QLatin1String>
#include <QStyle>

namespace sg::ui {

// The name and ink of the icon that replaces one of Qt's; an empty name keeps Qt's.
QLatin1String standardIconName(QStyle::StandardPixmap pixmap);
Token standardIconInk(QStyle::StandardPixmap pixmap);

} // namespace sg::ui
