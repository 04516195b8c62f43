#include "ui/widgets/strip.h"

#include "ui/widgets/fonts.h"

#include <QPainter>

namespace sg::ui {

Strip::Strip(int height, Token line, QWidget* parent, Line place)
    : QWidget(parent)
    , m_line(line)
    , m_place(place)
{
    setFixedHeight(scaledLength(height));
}

void Strip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(&Tokens::window));
    painter.fillRect(0, m_place == Line::Below ? height() - 1 : 0, width(), 1, color(m_line));
}

} // namespace sg::ui
