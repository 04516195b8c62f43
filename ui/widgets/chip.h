#pragma once

#include "ui/widgets/palette.h"

#include <QString>

class QPainter;
class QPointF;
class QRectF;

namespace sg::ui {

// A word on a tint, 18 px high: "branch 2", "+ added". Only the sign has a colour of its own.
struct ChipText {
    QString sign; // may be empty
    QString text;
    Token signInk = &Tokens::text2;
    Token fill = &Tokens::neutralTint;
};
double chipWidth(const ChipText& chip);
// The chip begins at `leftMiddle` and is centred vertically. Returns the covered rectangle.
QRectF paintChip(QPainter& painter, const ChipText& chip, const QPointF& leftMiddle);

// A key as it is printed on a keyboard: "Ctrl+K".
double keyWidth(const QString& key);
QRectF paintKey(QPainter& painter, const QString& key, const QPointF& leftMiddle);

} // namespace sg::ui
