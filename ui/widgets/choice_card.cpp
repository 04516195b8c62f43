#include "ui/widgets/choice_card.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/style_controls.h"

#include <QFocusEvent>
#include <QFontMetrics>
#include <QPainter>
#include <QStyleOptionButton>

#include <algorithm>

namespace sg::ui {

namespace {

constexpr int kCardHeight = 48;
constexpr int kLeastWidth = 120;
constexpr int kCardPadding = 8;
constexpr int kIndicator = 16;
constexpr int kCardGap = 6;
constexpr int kSign = 12;

} // namespace

ChoiceCard::ChoiceCard(const QString& name, const QString& meaning, QWidget* parent)
    : QRadioButton(name, parent)
    , m_meaning(meaning)
{
    setAccessibleDescription(meaning);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ChoiceCard::setWarning(bool warning)
{
    m_warning = warning;
    update();
}

QSize ChoiceCard::sizeHint() const
{
    const int first = kIndicator + kCardGap
        + QFontMetrics(uiFont(TextSize::Dense, QFont::DemiBold)).horizontalAdvance(text());
    const int second = QFontMetrics(uiFont(TextSize::Small)).horizontalAdvance(m_meaning)
        + (m_warning ? kSign + kCardGap : 0);
    return { std::max(first, second) + 2 * kCardPadding, scaledLength(kCardHeight) };
}

QSize ChoiceCard::minimumSizeHint() const
{
    const int name = QFontMetrics(uiFont(TextSize::Dense, QFont::DemiBold)).horizontalAdvance(text());
    // A longer name is elided.
    const int whole = kIndicator + kCardGap + name + 2 * kCardPadding + 2;
    return { std::min(whole, scaledLength(kLeastWidth)), scaledLength(kCardHeight) };
}

void ChoiceCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens& t = tokens();
    const QRgb fill = !isEnabled() ? t.window : isChecked() ? t.accentTint : underMouse() ? t.hover : t.base;
    paint::roundedFrame(painter, QRectF(rect()), fill, isChecked() && isEnabled() ? t.accent : t.border);
    if (hasFocus() && m_keyboardFocus)
        paint::focusRing(painter, QRectF(rect()));

    const int half = height() / 2;
    QStyleOptionButton indicator;
    initStyleOption(&indicator);
    indicator.rect = QRect(kCardPadding, half - kIndicator - 1, kIndicator, kIndicator);
    indicator.state.setFlag(QStyle::State_HasFocus, false);
    paint::radioIndicator(painter, indicator);

    painter.setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    painter.setPen(QColor(isEnabled() ? t.text : t.muted));
    const int left = kCardPadding + kIndicator + kCardGap;
    const QRect first(left, indicator.rect.top(), width() - left - 2, kIndicator);
    painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text(), Qt::ElideRight, first.width()));

    QRect second(kCardPadding, half + 3, width() - 2 * kCardPadding, half - 5);
    const QRgb ink = m_warning && isEnabled() ? t.warn : t.muted;
    if (m_warning) {
        paintIcon(painter, QLatin1String("warn"), QRectF(second.left(), second.top() + 1, kSign, kSign),
                  QColor(ink));
        second.setLeft(second.left() + kSign + kCardGap - 2);
    }
    painter.setFont(uiFont(TextSize::Small));
    painter.setPen(QColor(ink));
    painter.drawText(second, Qt::AlignLeft | Qt::AlignTop,
                     painter.fontMetrics().elidedText(m_meaning, Qt::ElideRight, second.width()));
}

void ChoiceCard::focusInEvent(QFocusEvent* event)
{
    m_keyboardFocus = event->reason() != Qt::MouseFocusReason;
    QRadioButton::focusInEvent(event);
}

} // namespace sg::ui
