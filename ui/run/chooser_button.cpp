#include "ui/run/chooser_button.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOptionButton>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr int kTextLeft = 32;
constexpr int kTextRight = 26;
constexpr int kRounding = 2; // a text can be a little wider than its whole pixels
constexpr int kWidest = 260;

} // namespace

ChooserButton::ChooserButton(QLatin1String iconName, QWidget* parent)
    : QPushButton(parent)
    , m_icon(iconName)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void ChooserButton::setPrefix(const QString& prefix)
{
    m_prefix = prefix;
    updateGeometry();
}

int ChooserButton::prefixWidth() const
{
    return m_prefix.isEmpty() ? 0 : fontMetrics().horizontalAdvance(m_prefix + QLatin1Char(' ')) + 2;
}

QSize ChooserButton::sizeHint() const
{
    const int text = prefixWidth() + fontMetrics().horizontalAdvance(this->text());
    return { std::clamp(text + kRounding + kTextLeft + kTextRight, scaledLength(132), scaledLength(kWidest)),
             scaledLength(28) };
}

QSize ChooserButton::minimumSizeHint() const
{
    return { scaledLength(96), scaledLength(28) };
}

void ChooserButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    style()->drawPrimitive(QStyle::PE_PanelButtonCommand, &option, &painter, this);
    const double middle = height() / 2.0;
    paintIcon(painter, m_icon, QRectF(9, middle - 8, 16, 16), color(&Tokens::text2));
    paintIcon(painter, QLatin1String("down"), QRectF(width() - 21, middle - 6, 12, 12),
              color(&Tokens::text2));
    QRect room = rect().adjusted(kTextLeft, 0, -kTextRight, 0);
    painter.setPen(color(&Tokens::muted));
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, m_prefix);
    room.setLeft(room.left() + prefixWidth());
    painter.setPen(color(&Tokens::text));
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text(), Qt::ElideMiddle, room.width()));
}

} // namespace sg::ui
