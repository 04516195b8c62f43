#include "ui/graph/scene/node_item.h"

#include "ui/graph/kind_look.h"
#include "ui/graph/scene/inner_graph.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/time_format.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QPainter>
#include <QPainterPath>
#include <QStyleOptionGraphicsItem>

#include <cmath>

namespace sg::ui {

namespace {

constexpr double kFlashMs = 300;
constexpr double kRefusedOpacity = 0.38;
constexpr double kFaintOpacity = 0.3;

// Paints a port that takes or starts an edge.
void paintRing(QPainter& painter, const QPointF& port, bool filled)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(&Tokens::accent), 1.5));
    painter.setBrush(color(&Tokens::accentTint));
    painter.drawEllipse(port, 7, 7);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(&Tokens::accent));
    if (filled)
        painter.drawEllipse(port, 3, 3);
}

// Paints the port where edges arrive: nothing can be drawn from there.
void paintFaintPort(QPainter& painter, const QPointF& port)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(&Tokens::line), 1.5));
    painter.setBrush(color(&Tokens::canvas));
    painter.drawEllipse(port, 4, 4);
}

QString tr(const char* text)
{
    return QCoreApplication::translate("NodeItem", text);
}

} // namespace

NodeItem::NodeItem(const DrawnNode& node, std::vector<QPointF> ports)
    : m_node(node)
{
    setFlag(ItemIsSelectable);
    setAcceptHoverEvents(true);
    setAcceptedMouseButtons(Qt::NoButton); // the view handles presses
    setZValue(2);
    setCacheMode(DeviceCoordinateCache); // texts and rounded corners would take most of a frame
    m_card.setPorts(ports);
    updateTexts();
    updateToolTip();
}

NodeItem::~NodeItem() = default;

void NodeItem::setInside(const std::shared_ptr<const graph::Graph>& graph)
{
    if (graph == (m_inside ? m_inside->graph() : nullptr))
        return;
    m_inside = graph ? std::make_unique<InnerGraph>(graph, [this] { update(); }) : nullptr;
    setCacheMode(m_inside ? NoCache
                          : DeviceCoordinateCache); // it is large, and keeps pictures of its own cards
    update();
}

QString NodeItem::title() const
{
    switch (m_node.kind) {
    case DrawnNode::Kind::Start: return tr("Start");
    case DrawnNode::Kind::End: return tr("End");
    case DrawnNode::Kind::Card: break;
    }
    return QString::fromStdString(m_node.id.value);
}

QRectF NodeItem::card() const
{
    return { pos(), QSizeF(m_node.width(), m_node.height()) };
}

void NodeItem::setNode(const DrawnNode& node, const std::vector<QPointF>& ports)
{
    if (node.width() != m_node.width() || node.height() != m_node.height())
        prepareGeometryChange();
    const bool otherTexts = node.subtitle != m_node.subtitle || node.nodeKind != m_node.nodeKind;
    if (node != m_node)
        m_node = node;
    if (otherTexts) {
        updateTexts();
        updateToolTip();
    }
    setPorts(ports);
}

void NodeItem::setPorts(const std::vector<QPointF>& ports)
{
    if (m_card.setPorts(ports))
        update();
}

void NodeItem::setOffer(Offer offer)
{
    if (offer == m_offer)
        return;
    m_offer = offer;
    setOpacity(offer == Offer::Refused ? kRefusedOpacity : m_faint ? kFaintOpacity : 1);
    update();
}

void NodeItem::setFaint(bool faint)
{
    if (faint == m_faint)
        return;
    m_faint = faint;
    setOpacity(faint ? kFaintOpacity : 1);
}

void NodeItem::setConnectable(bool connectable)
{
    m_connectable = connectable;
}

void NodeItem::setState(const NodeState& state)
{
    if (state == m_state)
        return;
    const double now = static_cast<double>(QDateTime::currentMSecsSinceEpoch());
    if (state.kind == StateKind::Failed && m_state.kind == StateKind::Running && !m_state.isPast)
        m_flashUntilMs = now + kFlashMs;
    m_state = state;
    m_secondLine = composedSecondLine(now);
    m_card.setState(m_state, m_secondLine);
    updateToolTip();
    update();
}

void NodeItem::advance(double nowMs, double turn)
{
    if (m_flashUntilMs > 0) {
        m_flash = std::clamp((m_flashUntilMs - nowMs) / kFlashMs, 0.0, 1.0);
        if (m_flash <= 0)
            m_flashUntilMs = 0;
        update();
    }
    if (m_state.kind != StateKind::Running || m_state.isPast)
        return;
    m_turn = turn;
    update(NodeCard::glyphRect());
    const QString second = composedSecondLine(nowMs);
    if (second != m_secondLine) {
        m_secondLine = second;
        m_card.setState(m_state, m_secondLine);
        update(NodeCard::secondLineRect());
    }
}

bool NodeItem::isMoving() const
{
    // A node that ran at a moment of the past does not move.
    return (m_state.kind == StateKind::Running && !m_state.isPast) || m_flashUntilMs > 0;
}

void NodeItem::updateTexts()
{
    m_card.setContent(title(), QString::fromStdString(m_node.subtitle), iconOfKind(m_node.nodeKind));
    m_card.setState(m_state, m_secondLine);
    update();
}

QString NodeItem::composedSecondLine(double nowMs) const
{
    if (m_state.kind == StateKind::Running && std::isfinite(m_state.runningSinceMs)
        && m_state.secondLine.isEmpty())
        return QStringLiteral("%1 %2").arg(
            stateWord(m_state.kind), formatDuration(std::max(0.0, nowMs - m_state.runningSinceMs) / 1000));
    if (!m_state.secondLine.isEmpty())
        return m_state.secondLine;
    return m_state.kind == StateKind::Idle ? QString() : stateWord(m_state.kind);
}

void NodeItem::updateToolTip()
{
    // Plain text only, because names come from files.
    QStringList lines{ title() };
    if (!m_node.subtitle.empty())
        lines << QString::fromStdString(m_node.subtitle);
    if (!m_secondLine.isEmpty() && m_state.kind != StateKind::Running)
        lines << m_secondLine;
    for (const QString& more : { m_state.note, m_state.tooltip, m_state.problem })
        if (!more.isEmpty())
            lines << more;
    if (!m_state.breakCondition.isEmpty())
        lines << tr("pauses when %1").arg(m_state.breakCondition);
    QString html = lines.join(QLatin1Char('\n')).toHtmlEscaped();
    html.replace(QLatin1Char('\n'), QStringLiteral("<br>"));
    setToolTip(QStringLiteral("<p style='white-space:pre-wrap'>") + html + QStringLiteral("</p>"));
}

QRectF NodeItem::boundingRect() const
{
    if (m_node.kind == DrawnNode::Kind::Card && !m_node.isOpen())
        return NodeCard::bounds();
    return QRectF(0, 0, m_node.width(), m_node.height()).adjusted(-9, -9, 9, 9);
}

QPainterPath NodeItem::shape() const
{
    QPainterPath path;
    path.addRect(QRectF(0, 0, m_node.width(), m_node.height()));
    return path;
}

void NodeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    if (m_inside) {
        const QRectF frame(0, 0, m_node.width(), m_node.height());
        paintOpenNode(*painter, frame, title(), m_state, m_secondLine, isSelected());
        m_inside->paint(*painter,
                        frame.adjusted(kOpenMargin, kOpenHead + kOpenMargin, -kOpenMargin, -kOpenMargin));
    } else if (m_node.kind == DrawnNode::Kind::Card)
        m_card.paint(*painter, { isSelected(), m_hovered, m_turn, m_flash });
    else
        paintTerminal(*painter, QRectF(0, 0, m_node.width(), m_node.height()), title(), isSelected());
    if (m_offer == Offer::Possible || m_offer == Offer::Aimed) {
        const QPointF port(0, m_node.height() / 2);
        paintRing(*painter, port, m_offer == Offer::Aimed);
    } else if (m_offer == Offer::None && m_connectable && m_hovered && m_node.kind != DrawnNode::Kind::End) {
        if (m_node.kind == DrawnNode::Kind::Card)
            paintFaintPort(*painter, QPointF(0, m_node.height() / 2));
        paintRing(*painter, QPointF(m_node.width(), m_node.height() / 2), true);
    }
}

void NodeItem::hoverEnterEvent(QGraphicsSceneHoverEvent*)
{
    m_hovered = true;
    update();
}

void NodeItem::hoverLeaveEvent(QGraphicsSceneHoverEvent*)
{
    m_hovered = false;
    update();
}

} // namespace sg::ui
