#include "ui/widgets/chip.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/style_controls.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace sg::ui {

namespace {

constexpr int kChipHeight = 18;
constexpr double kRadius = 3;
constexpr double kChipPadding = 6;
constexpr double kKeyPadding = 5;
constexpr double kChipGap = 4;

QFont chipFont()
{
    return uiFont(TextSize::Small);
}
QFont signFont()
{
    return uiFont(TextSize::Small, QFont::Bold);
}

double signWidth(const ChipText& chip)
{
    return chip.sign.isEmpty() ? 0 : QFontMetricsF(signFont()).horizontalAdvance(chip.sign) + kChipGap;
}

} // namespace

double chipWidth(const ChipText& chip)
{
    return std::ceil(QFontMetricsF(chipFont()).horizontalAdvance(chip.text) + signWidth(chip))
        + 2 * kChipPadding;
}

QRectF paintChip(QPainter& painter, const ChipText& chip, const QPointF& leftMiddle)
{
    const double height = scaledLength(kChipHeight);
    const QRectF rect(leftMiddle.x(), std::round(leftMiddle.y() - height / 2), chipWidth(chip), height);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(chip.fill));
    painter.drawRoundedRect(rect, kRadius, kRadius);
    QRectF words = rect.adjusted(kChipPadding, 0, -kChipPadding, 0);
    if (!chip.sign.isEmpty()) {
        painter.setFont(signFont());
        painter.setPen(color(chip.signInk));
        painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, chip.sign);
        words.setLeft(words.left() + signWidth(chip));
    }
    painter.setFont(chipFont());
    painter.setPen(color(&Tokens::text2));
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, chip.text);
    painter.restore();
    return rect;
}

double keyWidth(const QString& key)
{
    return std::ceil(QFontMetricsF(chipFont()).horizontalAdvance(key)) + 2 * kKeyPadding;
}

QRectF paintKey(QPainter& painter, const QString& key, const QPointF& leftMiddle)
{
    const double height = scaledLength(kChipHeight);
    const QRectF rect(leftMiddle.x(), std::round(leftMiddle.y() - height / 2), keyWidth(key), height);
    paint::roundedFrame(painter, rect, tokens().base, tokens().border, kRadius);
    painter.save();
    painter.setFont(chipFont());
    painter.setPen(color(&Tokens::muted));
    painter.drawText(rect, Qt::AlignCenter, key);
    painter.restore();
    return rect;
}

} // namespace sg::ui
