#pragma once

#include "ui/widgets/palette.h"

#include <QIcon>
#include <QLatin1String>
#include <QRectF>
#include <QStringList>

class QPainter;

namespace sg::ui {

// Line icons, drawn for 16 px and sharp at any size and scale. `name` is a file of resources/icons without
// ".svg". The ink follows the theme, because it is looked up at each painting. Disabled icons have 42 %
// opacity.
QIcon icon(QLatin1String name, Token ink = &Tokens::text2);
QIcon icon(QLatin1String name, const QColor& ink); // one colour in both themes

// Paints an icon, for delegates and painters. Pictures are cached by size, scale and colour.
void paintIcon(QPainter& painter, QLatin1String name, const QRectF& rect, const QColor& ink);

QStringList iconNames();

} // namespace sg::ui
