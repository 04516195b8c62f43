#pragma once

#include "ui/terminal/terminal_screen.h"

#include <QRgb>

namespace sg::ui {

// Colours of the present theme; the first sixteen are chosen to be readable on its terminal background.
QRgb inkOf(const CellLook& look);
QRgb groundOf(const CellLook& look);

} // namespace sg::ui
