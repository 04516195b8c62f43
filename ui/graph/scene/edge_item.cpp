#include "ui/graph/scene/edge_item.h"

#include "ui/widgets/palette.h"

#include <QApplication>
#include <QCoreApplication>
#include <QPainter>
#include <QPainterPathStroker>
#include <QStyleOptionGraphicsItem>

namespace sg::ui {

namespace {

constexpr double kGrip = 10; // how near the pointer must come to an edge
constexpr float kNotTakenOpacity = 0.75F;

QPolygonF arrowHead(const QPointF& tip, Heading heading)
{
    constexpr double l = kArrowLength;
    constexpr double h = 4;
    switch (heading) {
    case Heading::Right: return QPolygonF({ tip, tip + QPointF(-l, -h), tip + QPointF(-l, h) });
    case Heading::Left: return QPolygonF({ tip, tip + QPointF(l, -h), tip + QPointF(l, h) });
    case Heading::Up: return QPolygonF({ tip, tip + QPointF(-h, l), tip + QPointF(h, l) });
    case Heading::Down: return QPolygonF({ tip, tip + QPointF(-h, -l), tip + QPointF(h, -l) });
    }
    return {};
}

// Tells whether a segment of the path comes near `area`: the bounds of a long edge cover places where it is
// not.
bool passes(const QPainterPath& path, const QRectF& area)
{
    QPointF last;
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element& element = path.elementAt(i);
        QRectF piece = QRectF(last, QPointF(element)).normalized();
        if (element.type == QPainterPath::CurveToElement) {
            for (int point = 1; point <= 2 && i + 1 < path.elementCount(); ++point)
                piece |= QRectF(QPointF(path.elementAt(++i)), QSizeF(0.1, 0.1));
        }
        if (element.type != QPainterPath::MoveToElement
            && piece.adjusted(0, 0, 0.1, 0.1).intersects(area)) // a straight line has no area
            return true;
        last = QPointF(path.elementAt(i));
    }
    return false;
}

QFont smallFont(bool bold)
{
    QFont font = QApplication::font();
    font.setPixelSize(11);
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return font;
}

} // namespace

QColor edgeInk(EdgeLook look)
{
    QColor ink = color(&Tokens::line);
    if (look == EdgeLook::Taken)
        ink = color(&Tokens::text2);
    else if (look == EdgeLook::NotTaken) {
        ink = color(&Tokens::strong);
        ink.setAlphaF(kNotTakenOpacity);
    }
    return ink;
}

double edgeWidth(EdgeLook look)
{
    switch (look) {
    case EdgeLook::Idle: return 1.5;
    case EdgeLook::Taken: return 2;
    case EdgeLook::NotTaken: return 1;
    }
    return 1.5;
}

EdgeItem::EdgeItem(EdgeRoute route, bool dashed, const QString& toolTip)
    : m_route(std::move(route))
    , m_dashed(dashed)
{
    setAcceptHoverEvents(true);
    setAcceptedMouseButtons(Qt::NoButton);
    setToolTip(toolTip);
    setFlag(ItemUsesExtendedStyleOption); // provides the exposed rectangle
    measure();
}

void EdgeItem::setLook(EdgeLook look)
{
    if (look == m_look)
        return;
    m_look = look;
    setZValue(look == EdgeLook::Taken ? 0.5 : 0); // taken edges lie above the others
    update();
}

void EdgeItem::setRoute(const EdgeRoute& route)
{
    if (route.path == m_route.path && route.tip == m_route.tip && route.heading == m_route.heading)
        return;
    prepareGeometryChange();
    m_route = route;
    measure();
}

void EdgeItem::setCurrent(bool current)
{
    m_current = current;
    setZValue(current ? 0.6 : m_look == EdgeLook::Taken ? 0.5 : 0);
    update();
}

void EdgeItem::measure()
{
    // A curve lies within its control points.
    m_bounds =
        m_route.path.controlPointRect().united(QRectF(m_route.tip, QSizeF(0.1, 0.1))).adjusted(-6, -6, 6, 6);
}

QPainterPath EdgeItem::shape() const
{
    QPainterPathStroker stroker;
    stroker.setWidth(kGrip);
    return stroker.createStroke(m_route.path);
}

void EdgeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*)
{
    if (!passes(m_route.path, option->exposedRect.adjusted(-8, -8, 8, 8)))
        return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QColor ink = m_current ? color(&Tokens::accent)
        : m_hovered              ? color(&Tokens::text)
                                 : edgeInk(m_look);
    QPen pen(ink, m_current ? 2 : edgeWidth(m_look), m_dashed ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap);
    painter->setPen(pen);
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(m_route.path);
    if (m_route.hasArrow) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(ink);
        painter->drawPolygon(arrowHead(m_route.tip, m_route.heading));
    }
    painter->restore();
}

void EdgeItem::hoverEnterEvent(QGraphicsSceneHoverEvent*)
{
    m_hovered = true;
    update();
}

void EdgeItem::hoverLeaveEvent(QGraphicsSceneHoverEvent*)
{
    m_hovered = false;
    update();
}

EdgeLabelItem::EdgeLabelItem(const QRectF& rect, const QString& text)
    : m_rect(rect)
    , m_text(text)
{
    setZValue(1);
    setAcceptedMouseButtons(Qt::NoButton);
}

void EdgeLabelItem::setRect(const QRectF& rect)
{
    if (rect == m_rect)
        return;
    prepareGeometryChange();
    m_rect = rect;
}

void EdgeLabelItem::setLook(EdgeLook look)
{
    m_look = look;
    update();
}

QRectF EdgeLabelItem::boundingRect() const
{
    return m_rect.adjusted(-1, -1, 1, 1);
}

void EdgeLabelItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(color(&Tokens::border));
    painter->setBrush(color(&Tokens::canvas));
    painter->drawRoundedRect(m_rect.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter->setFont(smallFont(m_look == EdgeLook::Taken));
    painter->setPen(color(m_look == EdgeLook::NotTaken ? &Tokens::muted : &Tokens::text2));
    painter->drawText(m_rect, Qt::AlignCenter, m_text);
    painter->restore();
}

JoinItem::JoinItem(const JoinRoute& route, int expected)
    : m_route(route)
    , m_expected(expected)
{
    setZValue(1);
    setToolTip(QCoreApplication::translate("JoinItem", "Waits for %n tasks", nullptr, expected));
}

void JoinItem::setRoute(const JoinRoute& route)
{
    prepareGeometryChange();
    m_route = route;
}

void JoinItem::setArrived(int arrived, EdgeLook look)
{
    if (arrived == m_arrived && look == m_look)
        return;
    prepareGeometryChange();
    m_arrived = arrived;
    m_look = look;
    update();
}

QString JoinItem::text() const
{
    if (m_look == EdgeLook::Idle)
        return QCoreApplication::translate("JoinItem", "waits for %1").arg(m_expected);
    return QCoreApplication::translate("JoinItem", "%1 of %2").arg(m_arrived).arg(m_expected);
}

QRectF JoinItem::boundingRect() const
{
    return m_route.bar.united(QRectF(m_route.textTop - QPointF(40, 0), QSizeF(80, 16)))
        .adjusted(-2, -2, 2, 2);
}

void JoinItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool all = m_look != EdgeLook::Idle && m_arrived >= m_expected;
    painter->setPen(Qt::NoPen);
    painter->setBrush(color(m_look == EdgeLook::Idle || all ? &Tokens::text2 : &Tokens::strong));
    painter->drawRoundedRect(m_route.bar, 1, 1);
    painter->setFont(smallFont(false));
    const QRectF room(m_route.textTop - QPointF(40, 0), QSizeF(80, 16));
    const QRectF words = painter->boundingRect(room, Qt::AlignHCenter | Qt::AlignTop, text());
    painter->setBrush(color(&Tokens::canvas)); // edges may pass behind the text
    painter->drawRect(words.adjusted(-3, 0, 3, 0));
    painter->setPen(color(&Tokens::muted));
    painter->drawText(room, Qt::AlignHCenter | Qt::AlignTop, text());
    painter->restore();
}

} // namespace sg::ui
