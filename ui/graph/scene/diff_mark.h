#pragma once

#include "core/graph/diff.h"

#include <QGraphicsItem>
#include <QPainterPath>

namespace sg::ui {

// A mark around a node or along an edge of a compared graph; colour, line and sign each tell the change.
class DiffMark : public QGraphicsItem {
public:
    DiffMark(const QRectF& around, graph::PartChange change); // around a card
    DiffMark(const QPainterPath& along, graph::PartChange change); // along an edge

    [[nodiscard]] graph::PartChange change() const { return m_change; }
    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    QRectF m_around; // null for an edge
    QPainterPath m_along;
    graph::PartChange m_change;
};

QColor diffInk(graph::PartChange change);
QString diffSign(graph::PartChange change); // "+", "−", "~"

} // namespace sg::ui
