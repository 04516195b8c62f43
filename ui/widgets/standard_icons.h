#pragma once

#include "ui/widgets/palette.h"

#include <QLatin1String>
#include <QStyle>

namespace sg::ui {

// Which of our icons stands for one of Qt's own, in which ink. Empty: Qt's stays.
QLatin1String standardIconName(QStyle::StandardPixmap pixmap);
Token standardIconInk(QStyle::StandardPixmap pixmap);

} // namespace sg::ui
