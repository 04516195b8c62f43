#include "ui/start/start_tile.h"

#include "ui/widgets/chip.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"

#include <QKeyEvent>
#include <QPainter>

namespace sg::ui {

StartTile::StartTile(QLatin1String iconName, const QString& title, const QString& note, QWidget* parent)
    : QAbstractButton(parent)
    , m_icon(iconName)
    , m_note(note)
{
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(note);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setFixedHeight(scaledLength(48));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize StartTile::sizeHint() const
{
    return { scaledLength(240), scaledLength(48) };
}

void StartTile::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double inset = hasFocus() ? 1 : 0.5;
    const QRectF box = QRectF(rect()).adjusted(inset, inset, -inset, -inset);
    painter.setPen(
        QPen(color(m_isDefault || hasFocus() ? &Tokens::accent : &Tokens::border), hasFocus() ? 2 : 1));
    painter.setBrush(color(m_isDefault        ? &Tokens::accentTint
                               : underMouse() ? &Tokens::alt
                                              : &Tokens::raised));
    painter.drawRoundedRect(box, 4, 4);
    const double middle = box.center().y();
    const Token ink = m_isDefault ? &Tokens::accent : &Tokens::text2;
    paintIcon(painter, m_icon, QRectF(14, middle - 9, 18, 18), color(ink));
    double right = width() - 12;
    if (!m_key.isEmpty()) {
        right -= keyWidth(m_key);
        paintKey(painter, m_key, { right, middle });
        right -= 8;
    }
    const int room = static_cast<int>(right) - 45;
    const int line = scaledLength(18);
    painter.setPen(color(&Tokens::text));
    painter.setFont(uiFont(TextSize::Normal, QFont::DemiBold));
    painter.drawText(QRectF(45, middle - line + 1, room, line), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text(), Qt::ElideRight, room));
    painter.setPen(color(&Tokens::text2));
    painter.setFont(uiFont(TextSize::Dense));
    painter.drawText(QRectF(45, middle - 1, room, line), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(m_note, Qt::ElideRight, room));
}

void StartTile::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

void StartTile::enterEvent(QEnterEvent*)
{
    update();
}

void StartTile::leaveEvent(QEvent*)
{
    update();
}

} // namespace sg::ui
