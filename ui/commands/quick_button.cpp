#include "ui/commands/quick_button.h"

#include "ui/widgets/chip.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"

#include <QEvent>
#include <QPainter>

namespace sg::ui {
namespace {

constexpr int kWidth = 250;
constexpr int kHeight = 28;
constexpr int kNarrow = 1400; // width of the window
constexpr int kIcon = 16;
constexpr int kPadding = 8;

} // namespace

QuickButton::QuickButton(const QString& text, const QString& key, QWidget* parent)
    : QAbstractButton(parent)
    , m_key(key)
{
    setText(text);
    setAccessibleName(text);
    setToolTip(tr("%1 (%2)").arg(text, key));
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

bool QuickButton::isNarrow() const
{
    return window()->width() < scaledLength(kNarrow);
}

QSize QuickButton::sizeHint() const
{
    const int height = scaledLength(kHeight);
    return { isNarrow() ? height + 4 : scaledLength(kWidth), height };
}

bool QuickButton::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && watched == window())
        updateGeometry();
    return QAbstractButton::eventFilter(watched, event);
}

void QuickButton::showEvent(QShowEvent* event)
{
    QAbstractButton::showEvent(event);
    window()->installEventFilter(this);
}

void QuickButton::enterEvent(QEnterEvent* event)
{
    QAbstractButton::enterEvent(event);
    update();
}

void QuickButton::leaveEvent(QEvent* event)
{
    QAbstractButton::leaveEvent(event);
    update();
}

void QuickButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(color(hasFocus() ? &Tokens::accent : &Tokens::border), 1));
    painter.setBrush(color(underMouse() ? &Tokens::hover : &Tokens::base));
    painter.drawRoundedRect(frame, 4, 4);
    const double icon = scaledLength(kIcon);
    const double middle = height() / 2.0;
    const double left = isNarrow() ? (width() - icon) / 2 : kPadding;
    paintIcon(painter, QLatin1String("search"), QRectF(left, middle - icon / 2, icon, icon),
              color(&Tokens::muted));
    if (isNarrow())
        return;
    const double right = width() - kPadding - keyWidth(m_key);
    paintKey(painter, m_key, QPointF(right, middle));
    const QFont font = uiFont(TextSize::Dense);
    painter.setFont(font);
    painter.setPen(color(&Tokens::muted));
    const QRectF words(left + icon + 6, 0, right - left - icon - 12, height());
    painter.drawText(words, Qt::AlignVCenter,
                     QFontMetricsF(font).elidedText(text(), Qt::ElideRight, words.width()));
}

} // namespace sg::ui
