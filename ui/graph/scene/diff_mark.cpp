#include "ui/graph/scene/diff_mark.h"

#include "ui/widgets/palette.h"

#include <QApplication>
#include <QPainter>

namespace sg::ui {
namespace {

constexpr double kRing = 5;
constexpr double kSign = 18;

QPen penOf(graph::PartChange change, double width)
{
    QPen pen(diffInk(change), width);
    if (change == graph::PartChange::Removed)
        pen.setDashPattern({ 4, 2.5 });
    else if (change == graph::PartChange::Changed)
        pen.setDashPattern({ 1, 1.5 });
    return pen;
}

} // namespace

QColor diffInk(graph::PartChange change)
{
    switch (change) {
    case graph::PartChange::Added: return color(&Tokens::done);
    case graph::PartChange::Removed: return color(&Tokens::failed);
    case graph::PartChange::Changed: return color(&Tokens::running);
    }
    return {};
}

QString diffSign(graph::PartChange change)
{
    switch (change) {
    case graph::PartChange::Added: return QStringLiteral("+");
    case graph::PartChange::Removed: return QStringLiteral("−");
    case graph::PartChange::Changed: return QStringLiteral("~");
    }
    return {};
}

DiffMark::DiffMark(const QRectF& around, graph::PartChange change)
    : m_around(around.adjusted(-kRing, -kRing, kRing, kRing))
    , m_change(change)
{
    setAcceptedMouseButtons(Qt::NoButton);
    setZValue(3);
}

DiffMark::DiffMark(const QPainterPath& along, graph::PartChange change)
    : m_along(along)
    , m_change(change)
{
    setAcceptedMouseButtons(Qt::NoButton);
    setZValue(1.5); // above edges, below cards
}

QRectF DiffMark::boundingRect() const
{
    const QRectF rect = m_around.isNull() ? m_along.controlPointRect() : m_around;
    return rect.adjusted(-kSign, -kSign, kSign, kSign);
}

void DiffMark::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(Qt::NoBrush);
    painter->setPen(penOf(m_change, 2.5));
    if (m_around.isNull()) {
        painter->drawPath(m_along);
        return;
    }
    painter->drawRoundedRect(m_around, 9, 9);
    const QRectF sign(m_around.left() - kSign / 2, m_around.top() - kSign / 2, kSign, kSign);
    painter->setPen(Qt::NoPen);
    painter->setBrush(diffInk(m_change));
    painter->drawEllipse(sign);
    QFont font = QApplication::font();
    font.setPixelSize(14);
    font.setWeight(QFont::Bold);
    painter->setFont(font);
    painter->setPen(color(&Tokens::base));
    painter->drawText(sign, Qt::AlignCenter, diffSign(m_change));
}

} // namespace sg::ui
