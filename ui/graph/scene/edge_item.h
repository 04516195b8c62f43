#pragma once

#include "ui/graph/layout/edge_routes.h"
#include "ui/graph/scene/node_state.h"

#include <QGraphicsItem>

namespace sg::ui {

// One edge with its arrow head, or the line from a waiting edge's bar to its node.
class EdgeItem : public QGraphicsItem {
public:
    enum { Type = UserType + 2 };
    EdgeItem(EdgeRoute route, bool dashed, const QString& toolTip);
    void setDrawn(const DrawnEdge& edge) { m_drawn = edge; }
    [[nodiscard]] const DrawnEdge& drawn() const { return m_drawn; }
    void setRoute(const EdgeRoute& route);
    void setCurrent(bool current);

    void setLook(EdgeLook look);
    [[nodiscard]] EdgeLook look() const { return m_look; }
    [[nodiscard]] const EdgeRoute& route() const { return m_route; }

    [[nodiscard]] int type() const override { return Type; }
    [[nodiscard]] QRectF boundingRect() const override { return m_bounds; }
    [[nodiscard]] QPainterPath shape() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

protected:
    void hoverEnterEvent(QGraphicsSceneHoverEvent* event) override;
    void hoverLeaveEvent(QGraphicsSceneHoverEvent* event) override;

private:
    void measure();

    EdgeRoute m_route;
    QRectF m_bounds;
    DrawnEdge m_drawn;
    EdgeLook m_look = EdgeLook::Idle;
    bool m_dashed;
    bool m_hovered = false;
    bool m_current = false;
};

// The label of an outcome, in a pill above all edges.
class EdgeLabelItem : public QGraphicsItem {
public:
    EdgeLabelItem(const QRectF& rect, const QString& text);
    void setRect(const QRectF& rect);
    void setLook(EdgeLook look);
    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    QRectF m_rect;
    QString m_text;
    EdgeLook m_look = EdgeLook::Idle;
};

// The bar where the starts of a waiting edge meet, with "0 of 3" below it.
class JoinItem : public QGraphicsItem {
public:
    JoinItem(const JoinRoute& route, int expected);
    void setRoute(const JoinRoute& route);
    void setArrived(int arrived, EdgeLook look);
    [[nodiscard]] int arrived() const { return m_arrived; }
    [[nodiscard]] int expected() const { return m_expected; }
    [[nodiscard]] QString text() const;
    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    JoinRoute m_route;
    int m_expected;
    int m_arrived = 0;
    EdgeLook m_look = EdgeLook::Idle;
};

// Colour and width of an edge's line.
QColor edgeInk(EdgeLook look);
double edgeWidth(EdgeLook look);

} // namespace sg::ui
