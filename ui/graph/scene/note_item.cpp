#include "ui/graph/scene/note_item.h"

#include "ui/graph/edits/note_edits.h"
#include "ui/widgets/palette.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr double kFarthest = 1e6;
constexpr double kLargest = 20'000;
constexpr double kFold = 12; // size of a note's folded corner
constexpr double kPadding = 10;
constexpr double kCorner = 14;
constexpr double kRing = 3;
constexpr double kFrameRadius = 8;
constexpr qsizetype kLongestText = 4000; // longer texts are painted up to here

QFont textFont(int pixels, QFont::Weight weight)
{
    QFont font = QApplication::font();
    font.setPixelSize(pixels);
    font.setWeight(weight);
    return font;
}

QPainterPath slipOutline(const QRectF& rect)
{
    QPainterPath path(rect.topLeft());
    path.lineTo(rect.right() - kFold, rect.top());
    path.lineTo(rect.right(), rect.top() + kFold);
    path.lineTo(rect.bottomRight());
    path.lineTo(rect.bottomLeft());
    path.closeSubpath();
    return path;
}

} // namespace

QRectF NoteItem::rectOf(const graph::Note& note)
{
    const auto side = [](double length) { return std::clamp(length, kLeastNote, kLargest); };
    const auto at = [](double coordinate) { return std::clamp(coordinate, -kFarthest, kFarthest); };
    return { at(note.place.x), at(note.place.y), side(note.size.x), side(note.size.y) };
}

NoteItem::NoteItem(const graph::Note& note)
{
    setAcceptedMouseButtons(Qt::NoButton); // the view handles presses
    setNote(note);
}

void NoteItem::setNote(const graph::Note& note)
{
    prepareGeometryChange();
    m_text = QString::fromStdString(note.text).left(kLongestText);
    m_rect = rectOf(note);
    m_isFrame = note.frame;
    setPos(0, 0);
    setZValue(m_isFrame ? -2 : -1); // below edges and cards
    setToolTip(QString());
    update();
}

void NoteItem::setShift(const QPointF& by)
{
    setPos(by);
}

void NoteItem::setSize(const QSizeF& size)
{
    prepareGeometryChange();
    m_rect.setSize(
        { std::clamp(size.width(), kLeastNote, kLargest), std::clamp(size.height(), kLeastNote, kLargest) });
    update();
}

void NoteItem::setCurrent(bool current)
{
    if (current == m_isCurrent)
        return;
    m_isCurrent = current;
    update();
}

QRectF NoteItem::holdRect() const
{
    return m_isFrame ? QRectF(m_rect.topLeft(), QSizeF(m_rect.width(), kFrameTitle)) : m_rect;
}

QRectF NoteItem::cornerRect() const
{
    return { m_rect.right() - kCorner, m_rect.bottom() - kCorner, kCorner + 4, kCorner + 4 };
}

QRectF NoteItem::boundingRect() const
{
    return m_rect.adjusted(-kRing - 2, -kRing - 2, kRing + 2, kRing + 2);
}

QPainterPath NoteItem::shape() const
{
    QPainterPath path;
    path.addRect(holdRect());
    return path;
}

void NoteItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    painter->setRenderHint(QPainter::Antialiasing);
    if (m_isCurrent) {
        painter->setPen(QPen(color(&Tokens::accent), 2));
        painter->setBrush(Qt::NoBrush);
        const double radius = m_isFrame ? kFrameRadius + kRing : 2;
        painter->drawRoundedRect(m_rect.adjusted(-kRing, -kRing, kRing, kRing), radius, radius);
    }
    if (m_isFrame)
        paintFrame(*painter);
    else
        paintSlip(*painter);
    if (m_isCurrent)
        paintCorner(*painter);
}

void NoteItem::paintFrame(QPainter& painter) const
{
    QColor fill = color(&Tokens::neutralTint);
    fill.setAlphaF(0.45F);
    painter.setPen(QPen(color(&Tokens::strong), 1));
    painter.setBrush(fill);
    const QRectF body = m_rect.adjusted(0.5, 0.5, -0.5, -0.5);
    painter.drawRoundedRect(body, kFrameRadius, kFrameRadius);
    const QFont font = textFont(12, QFont::DemiBold);
    painter.setFont(font);
    painter.setPen(color(&Tokens::text2));
    const QRectF title(body.left() + kPadding, body.top(), body.width() - 2 * kPadding, kFrameTitle);
    painter.drawText(title, Qt::AlignVCenter,
                     QFontMetricsF(font).elidedText(m_text.section(QLatin1Char('\n'), 0, 0), Qt::ElideRight,
                                                    title.width()));
}

void NoteItem::paintSlip(QPainter& painter) const
{
    const QRectF body = m_rect.adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(color(&Tokens::strong), 1));
    painter.setBrush(color(&Tokens::alt));
    painter.drawPath(slipOutline(body));
    painter.setBrush(color(&Tokens::neutralTint));
    const QPointF fold(body.right() - kFold, body.top() + kFold);
    painter.drawPolygon(QPolygonF({ QPointF(fold.x(), body.top()), fold, QPointF(body.right(), fold.y()) }));
    painter.setFont(textFont(12, QFont::Normal));
    painter.setPen(color(&Tokens::text2));
    painter.save();
    const QRectF words = body.adjusted(kPadding, kPadding - 2, -kPadding - 2, -kPadding / 2);
    painter.setClipRect(words, Qt::IntersectClip);
    painter.drawText(words, Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap, m_text);
    painter.restore();
}

// Three strokes mark the corner that resizes the item.
void NoteItem::paintCorner(QPainter& painter) const
{
    painter.setPen(QPen(color(&Tokens::accent), 1.5));
    const QPointF corner = m_rect.bottomRight() - QPointF(4, 4);
    for (const double length : { 4.0, 8.0 })
        painter.drawLine(corner - QPointF(length, 0), corner - QPointF(0, length));
}

} // namespace sg::ui
