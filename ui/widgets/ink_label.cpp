#include "ui/widgets/ink_label.h"

#include <QEvent>

namespace sg::ui {

InkLabel::InkLabel(Token ink, TextSize size, QFont::Weight weight, QWidget* parent)
    : QLabel(parent)
    , m_ink(ink)
{
    setFont(uiFont(size, weight));
    setTextFormat(Qt::PlainText);
    dye();
}

void InkLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        dye();
}

void InkLabel::dye()
{
    if (palette().color(QPalette::WindowText) == color(m_ink))
        return;
    QPalette dyed = palette();
    dyed.setColor(QPalette::WindowText, color(m_ink));
    setPalette(dyed);
}

} // namespace sg::ui
