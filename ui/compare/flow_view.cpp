#include "ui/compare/flow_view.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace sg::ui {

namespace {

using NodeKind = NodeComparison::Kind;

Token inkOf(NodeKind kind)
{
    switch (kind) {
    case NodeKind::Same: return &Tokens::strong;
    case NodeKind::Changed: return &Tokens::running;
    case NodeKind::OnlyA: return &Tokens::failed;
    case NodeKind::OnlyB: return &Tokens::done;
    }
    return &Tokens::strong;
}

Token tintOf(NodeKind kind)
{
    switch (kind) {
    case NodeKind::Same: return &Tokens::raised;
    case NodeKind::Changed: return &Tokens::runningTint;
    case NodeKind::OnlyA: return &Tokens::failedTint;
    case NodeKind::OnlyB: return &Tokens::doneTint;
    }
    return &Tokens::raised;
}

QString signOf(NodeKind kind)
{
    switch (kind) {
    case NodeKind::Same: return {};
    case NodeKind::Changed: return QStringLiteral("~");
    case NodeKind::OnlyA: return QChar(0x2212);
    case NodeKind::OnlyB: return QStringLiteral("+");
    }
    return {};
}

QString countsOf(const NodeComparison& node)
{
    const int runs = std::max(node.runsA, node.runsB);
    if (node.runsA == node.runsB || node.kind == NodeKind::OnlyA || node.kind == NodeKind::OnlyB)
        return runs == 1 ? QString() : QStringLiteral("×%1").arg(runs);
    return QStringLiteral("×%1→%2").arg(node.runsA).arg(node.runsB);
}

} // namespace

FlowView::FlowView(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Graph of both runs"));
    setMinimumHeight(scaledLength(80));
}

void FlowView::setFlow(const MergedFlow& flow)
{
    m_flow = flow;
    QStringList words;
    for (const FlowNode& node : m_flow.nodes)
        if (node.compared.kind != NodeKind::Same)
            words << signOf(node.compared.kind) + node.compared.node;
    setAccessibleDescription(words.isEmpty() ? tr("The same nodes ran on both")
                                             : words.join(QStringLiteral(", ")));
    setMinimumSize(sizeHint());
    update();
}

QRect FlowView::differences() const
{
    QRectF around;
    for (const FlowNode& node : m_flow.nodes)
        if (node.compared.kind != NodeKind::Same)
            around |= cardOf(node);
    return around.toAlignedRect();
}

QSize FlowView::sizeHint() const
{
    return { scaledLength(32 + 152 * std::max(1, m_flow.columns)),
             scaledLength(48 + 44 * std::max(1, m_flow.rows)) };
}

QRectF FlowView::cardOf(const FlowNode& node) const
{
    return { scaledLength(16) + node.column * scaledLength(152) * 1.0,
             scaledLength(26) + node.row * scaledLength(44) * 1.0, scaledLength(124) * 1.0,
             scaledLength(30) * 1.0 };
}

void FlowView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(&Tokens::canvas));
    painter.setRenderHint(QPainter::Antialiasing);
    for (const FlowEdge& edge : m_flow.edges)
        paintEdge(painter, edge);
    for (const FlowNode& node : m_flow.nodes)
        paintCard(painter, node);
}

// A backward edge leaves and arrives at the bottom.
void FlowView::paintEdge(QPainter& painter, const FlowEdge& edge) const
{
    const FlowNode& fromNode = m_flow.nodes[static_cast<std::size_t>(edge.from)];
    const FlowNode& toNode = m_flow.nodes[static_cast<std::size_t>(edge.to)];
    const QRectF from = cardOf(fromNode);
    const QRectF to = cardOf(toNode);
    QPainterPath path;
    if (toNode.column > fromNode.column) {
        const QPointF start(from.right(), from.center().y());
        const QPointF end(to.left(), to.center().y());
        const double bend = std::max(12.0, (end.x() - start.x()) / 2);
        // It would be hidden behind the cards between, so it goes above them.
        const bool isOver = toNode.column > fromNode.column + 1 && toNode.row == fromNode.row;
        const QPointF rise(0, isOver ? -scaledLength(44) : 0);
        path.moveTo(start);
        path.cubicTo(start + QPointF(isOver ? bend / 3 : bend, 0) + rise,
                     end - QPointF(isOver ? bend / 3 : bend, 0) + rise, end);
    } else {
        const double low = std::max(from.bottom(), to.bottom()) + scaledLength(14);
        const QPointF start(from.center().x() + (edge.from == edge.to ? scaledLength(24) : 0), from.bottom());
        const QPointF end(to.center().x() - (edge.from == edge.to ? scaledLength(24) : 0), to.bottom());
        path.moveTo(start);
        path.cubicTo({ start.x(), low }, { end.x(), low }, end);
    }
    QPen pen(color(inkOf(edge.kind)), edge.kind == NodeKind::Same ? 1.5 : 2);
    if (edge.kind == NodeKind::OnlyA)
        pen.setDashPattern({ 4, 3 });
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

void FlowView::paintCard(QPainter& painter, const FlowNode& node) const
{
    const QRectF card = cardOf(node);
    const NodeKind kind = node.compared.kind;
    painter.setPen(QPen(color(kind == NodeKind::Same ? &Tokens::border : inkOf(kind)), 1));
    painter.setBrush(color(tintOf(kind)));
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    const QFont font = uiFont(TextSize::Dense, QFont::DemiBold);
    const QFont small = uiFont(TextSize::Small);
    QRectF room = card.adjusted(scaledLength(8), 0, -scaledLength(8), 0);
    const QString sign = signOf(kind);
    if (!sign.isEmpty()) {
        painter.setFont(font);
        painter.setPen(color(inkOf(kind)));
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, sign);
        room.setLeft(room.left() + scaledLength(12));
    }
    const QString counts = countsOf(node.compared);
    painter.setFont(small);
    painter.setPen(color(&Tokens::text2));
    painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, counts);
    const double used = counts.isEmpty() ? 0 : QFontMetricsF(small).horizontalAdvance(counts) + 4;
    painter.setFont(font);
    painter.setPen(color(&Tokens::text));
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(font).elidedText(node.compared.node, Qt::ElideRight, room.width() - used));
}

} // namespace sg::ui
