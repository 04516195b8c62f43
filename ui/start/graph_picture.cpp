#include "ui/start/graph_picture.h"

#include "ui/graph/kind_look.h"
#include "ui/graph/layout/drawing_layout.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr double kBoxWidth = 28;
constexpr double kBoxHeight = 14;
constexpr double kColumnStep = 56; // between the centres of two columns
constexpr double kRowStep = 24;
constexpr double kLineWidth = 1.25;

// The boxes of a graph's nodes; none for its start and end.
std::vector<QRectF> boxesOf(const GraphDrawing& drawing, const QRectF& room)
{
    const DrawingLayout layout = layOutDrawing(drawing, std::vector<double>(drawing.edges.size(), 0));
    QRectF extent;
    for (std::size_t i = 0; i < drawing.nodes.size(); ++i)
        if (drawing.nodes[i].kind == DrawnNode::Kind::Card) {
            const QRectF at(layout.centres[i].x, layout.centres[i].y, 0.001, 0.001);
            extent = extent.isNull() ? at : extent.united(at);
        }
    const LayoutSpacing spacing;
    const double across = std::min(kColumnStep / (kCardWidth + spacing.columnGap),
                                   (room.width() - kBoxWidth) / std::max(1.0, extent.width()));
    const double down =
        std::min(kRowStep / spacing.row, (room.height() - kBoxHeight) / std::max(1.0, extent.height()));
    std::vector<QRectF> boxes(drawing.nodes.size());
    for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
        if (drawing.nodes[i].kind != DrawnNode::Kind::Card)
            continue;
        const double x = room.center().x() + (layout.centres[i].x - extent.center().x()) * across;
        const double y = room.center().y() + (layout.centres[i].y - extent.center().y()) * down;
        boxes[i] =
            QRectF(qRound(x - kBoxWidth / 2) + 0.5, qRound(y - kBoxHeight / 2) + 0.5, kBoxWidth, kBoxHeight);
    }
    return boxes;
}

QPainterPath wayOf(const QRectF& from, const QRectF& to)
{
    QPainterPath way;
    if (to.left() > from.right()) {
        const QPointF begin(from.right(), from.center().y());
        const QPointF end(to.left(), to.center().y());
        const double middle = (begin.x() + end.x()) / 2;
        way.moveTo(begin);
        way.cubicTo({ middle, begin.y() }, { middle, end.y() }, end);
        return way;
    }
    const double below = std::max(from.bottom(), to.bottom()) + 8; // an edge that runs back
    const double leave = from.center().x() + (from == to ? 6 : 0);
    const double arrive = to.center().x() - (from == to ? 6 : 0);
    way.moveTo(leave, from.bottom());
    way.lineTo(leave, below);
    way.lineTo(arrive, below);
    way.lineTo(arrive, to.bottom());
    return way;
}

void paintBox(QPainter& painter, const QRectF& box)
{
    painter.setPen(QPen(color(&Tokens::line), kLineWidth));
    painter.setBrush(color(&Tokens::raised));
    painter.drawRoundedRect(box, 3, 3);
}

void paintEmpty(QPainter& painter, const QRectF& room)
{
    const QRectF start(qRound(room.center().x() - kColumnStep) + 0.5, qRound(room.center().y() - 7) + 0.5,
                       kBoxWidth, kBoxHeight);
    const QRectF end = start.translated(kColumnStep + kBoxWidth, 0);
    QPen dashed(color(&Tokens::line), kLineWidth);
    dashed.setDashPattern({ 3, 3 });
    painter.setPen(dashed);
    painter.drawLine(QPointF(start.right(), start.center().y()), QPointF(end.left(), end.center().y()));
    paintBox(painter, start);
    paintBox(painter, end);
}

} // namespace

void paintGraphPicture(QPainter& painter, const graph::Graph& graph, const QRectF& room)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (graph.nodes.empty()) {
        paintEmpty(painter, room);
        painter.restore();
        return;
    }
    const GraphDrawing drawing = drawingOf(graph);
    const std::vector<QRectF> boxes = boxesOf(drawing, room.adjusted(8, 8, -8, -8));
    painter.setPen(QPen(color(&Tokens::line), kLineWidth));
    painter.setBrush(Qt::NoBrush);
    for (const DrawnEdge& edge : drawing.edges)
        if (!boxes[edge.from].isNull() && !boxes[edge.to].isNull() && !edge.open)
            painter.drawPath(wayOf(boxes[edge.from], boxes[edge.to]));
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (boxes[i].isNull())
            continue;
        paintBox(painter, boxes[i]);
        QRectF sign(0, 0, 10, 10);
        sign.moveCenter(boxes[i].center());
        paintIcon(painter, iconOfKind(drawing.nodes[i].nodeKind), sign, color(&Tokens::text2));
    }
    painter.restore();
}

} // namespace sg::ui
