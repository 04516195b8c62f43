#pragma once

#include "core/graph/diff.h"

#include <QGraphicsItem>
#include <QPainterPath>

namespace sg::ui {

// Laid around a node or along an edge of a compared graph: colour, line and sign each tell what happened.
class DiffMark : public QGraphicsItem {
public:
    DiffMark(const QRectF& around, graph::PartChange change); // a card
    DiffMark(const QPainterPath& along, graph::PartChange change); // an edge

    [[nodiscard]] graph::PartChange change() const { return m_change; }
    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    QRectF m_around; // null: along a line
    QPainterPath m_along;
    graph::PartChange m_change;
};

QColor diffInk(graph::PartChange change);
QString diffSign(graph::PartChange change); // "+", "−", "~"

} // namespace sg::ui
