#include "ui/widgets/elided_label.h"

#include <QEvent>

namespace sg::ui {

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent, Qt::TextElideMode mode)
    : QLabel(parent)
    , m_mode(mode)
{
    setTextFormat(Qt::PlainText);
    setFullText(text);
}

void ElidedLabel::setFullText(const QString& text)
{
    m_text = text;
    m_text.replace(QLatin1Char('\n'), QLatin1Char(' '));
    setAccessibleName(text);
    updateGeometry();
    shorten();
}

QSize ElidedLabel::minimumSizeHint() const
{
    return { std::min(sizeHint().width(), fontMetrics().averageCharWidth() * 4),
             QLabel::minimumSizeHint().height() };
}

QSize ElidedLabel::sizeHint() const
{
    const QMargins margins = contentsMargins();
    return { fontMetrics().horizontalAdvance(m_text) + margins.left() + margins.right() + 2 * margin() + 1,
             QLabel::sizeHint().height() };
}

void ElidedLabel::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    shorten();
}

void ElidedLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        shorten();
}

void ElidedLabel::shorten()
{
    const QString shown = fontMetrics().elidedText(m_text, m_mode, contentsRect().width());
    setText(shown);
    setToolTip(shown == m_text ? QString() : m_text);
}

} // namespace sg::ui
