#include "ui/widgets/badge.h"

#include "ui/widgets/fonts.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace sg::ui {

namespace {

constexpr int kHeight = 16;
constexpr int kPadding = 4;

} // namespace

double badgeWidth(const QString& text)
{
    const double words = QFontMetricsF(uiFont(TextSize::Tiny, QFont::DemiBold)).horizontalAdvance(text);
    return std::max<double>(scaledLength(kHeight), std::ceil(words) + 2 * kPadding);
}

QString badgeText(int count)
{
    return count > 999 ? QStringLiteral("999+") : QString::number(count);
}

Badge::Badge(Kind kind, QWidget* parent)
    : QWidget(parent)
    , m_kind(kind)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    hide();
}

void Badge::setCount(int count)
{
    m_count = count;
    setAccessibleName(count > 0 ? badgeText(count) : QString());
    setVisible(count > 0);
    updateGeometry();
    update();
}

void Badge::setKind(Kind kind)
{
    m_kind = kind;
    update();
}

QSize Badge::sizeHint() const
{
    return { static_cast<int>(badgeWidth(badgeText(m_count))), scaledLength(kHeight) };
}

void Badge::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintBadge(painter, badgeText(m_count), m_kind, width(), height() / 2.0);
}

double paintBadge(QPainter& painter, const QString& text, Badge::Kind kind, double right, double y)
{
    const Tokens& t = tokens();
    const double height = scaledLength(kHeight);
    const QRectF chip(right - badgeWidth(text), y - height / 2, badgeWidth(text), height);
    QRgb fill = t.neutralTint;
    QRgb ink = t.text2;
    switch (kind) {
    case Badge::Kind::Quiet: break;
    case Badge::Kind::Waiting:
        fill = t.waiting;
        ink = t.canvas;
        break;
    case Badge::Kind::Failed:
        fill = t.failed;
        ink = t.canvas;
        break;
    case Badge::Kind::Accent:
        fill = t.accent;
        ink = t.onAccent;
        break;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(fill));
    painter.drawRoundedRect(chip, height / 2, height / 2);
    painter.setPen(QColor(ink));
    painter.setFont(uiFont(TextSize::Tiny, QFont::DemiBold));
    painter.drawText(chip, Qt::AlignCenter, text);
    painter.restore();
    return chip.left();
}

} // namespace sg::ui
