#pragma once

#include "ui/widgets/palette.h"

#include <QString>

class QPainter;
class QPointF;
class QRectF;

namespace sg::ui {

// A word on a tint, 18 px high: "branch 2", "+ added". The sign has its own colour, the words stay text.
struct ChipText {
    QString sign; // may be empty
    QString text;
    Token signInk = &Tokens::text2;
    Token fill = &Tokens::neutralTint;
};
double chipWidth(const ChipText& chip);
// Left aligned at `left`, centred at `y`. Returns what it covers.
QRectF paintChip(QPainter& painter, const ChipText& chip, const QPointF& leftMiddle);

// A key as it is printed on a keyboard: "Ctrl+K".
double keyWidth(const QString& key);
QRectF paintKey(QPainter& painter, const QString& key, const QPointF& leftMiddle);

} // namespace sg::ui
