#pragma once

#include "ui/terminal/terminal_screen.h"

#include <QRgb>

namespace sg::ui {

// Of the theme in use, on its terminal's ground; the first sixteen are made to be read there.
QRgb inkOf(const CellLook& look);
QRgb groundOf(const CellLook& look);

} // namespace sg::ui
