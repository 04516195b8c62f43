#include "ui/widgets/rewind_sign.h"

#include "ui/widgets/fonts.h"

#include <QPainter>

namespace sg::ui {

RewindSign::RewindSign(Token ground, QWidget* parent)
    : QWidget(parent)
    , m_ground(ground)
{
    setFixedSize(scaledLength(16), scaledLength(16));
}

void RewindSign::setRewind(Rewind rewind)
{
    m_rewind = rewind;
    update();
}

void RewindSign::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintRewindMark(painter, m_rewind, QRectF(rect()).center(), tokens().text2, tokens().*m_ground);
}

} // namespace sg::ui
